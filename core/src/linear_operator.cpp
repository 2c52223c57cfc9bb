#include <claros/linear_operator.hpp>
namespace claros { LinearOperator::~LinearOperator() = default; }
