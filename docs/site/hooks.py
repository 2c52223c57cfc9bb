# SPDX-License-Identifier: BSD-3-Clause
"""Hooks of mkdocs: the folder docs/ as a site that works from a folder.

README.md becomes the first page; files that pages link to and that are not pages (sources, specifications) become pages
below source/; formulas become MathML (formulas.py); the index of the search is a script, which a browser also reads
from a folder.
"""
import ast
import html
from html.parser import HTMLParser
import pathlib
import posixpath
import re
import shutil
import sys

from mkdocs.structure.files import File

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
import formulas  # noqa: E402

ROOT = HERE.parents[1]
DOCS = HERE.parent
PICTURES = {".svg", ".png"}
LINK = re.compile(r"(!?\[(?:[^\[\]`]|`[^`]*`|\[[^\]]*\])*\])\(([^)\s]+)\)")
KINDS = ["objective", "loss", "set", "penalty", "smoother", "estimator", "algorithm", "data", "section"]
MADE = ("source/", "python/", "reference")  # pages that on_files makes
PACKAGE = ROOT / "sdk" / "python" / "claros"
REFERENCE = """# Reference of the interfaces

<a href="cpp/index.html">Classes, functions and files of the C++ interfaces</a>, written by Doxygen from the headers, with a
search of its own.
"""
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".ini": "ini", ".json": "json"}


def title_of(page):
    line = page.read_text(encoding="utf-8").splitlines()[0]
    return re.sub(r"[#`]|\[(.*?)\]\(.*?\)", r"\1", line).strip() if line.startswith("#") else page.stem


# --- the navigation

def component_pages():
    groups = {kind: [] for kind in KINDS}
    for page in sorted((DOCS / "components").glob("*.md")):
        kind, _, name = page.stem.partition("-")
        if kind in groups:
            groups[kind].append({name: f"components/{page.name}"})
    return [{"All components": "components/README.md"}, {"What composes with what": "components/compositions.md"}] + \
        [{kind: pages} for kind, pages in groups.items()]


def paper_pages():
    papers = [{"Findings": "papers/README.md"}, {"Boxes beside the code": "papers/boxes.md"}]
    for folder in sorted(path for path in (DOCS / "papers").iterdir() if path.is_dir()):
        pages = [{"Experiment": f"papers/{folder.name}/README.md"}]
        pages += [{page.stem: f"papers/{folder.name}/{page.name}"} for page in sorted(folder.glob("*.md"))
                  if page.name != "README.md"]
        papers.append({folder.name.upper(): pages})
    return papers


def stage_package(folder, built):
    """The modules of the Python package, those with a stub in the build tree as their stub: mkdocstrings reads no .pyi."""
    folder.mkdir(parents=True, exist_ok=True)
    for module in PACKAGE.glob("*.py"):
        stub = built / f"{module.stem}.pyi"
        shutil.copyfile(stub if stub.exists() else module, folder / module.name)


def on_config(config):
    stage_package(pathlib.Path(config["extra"]["made"], "package", "claros"), pathlib.Path(config["extra"]["package"]))
    for group in config["nav"]:
        if "Components" in group:
            group["Components"] = component_pages()
        if "Papers" in group:
            group["Papers"] = paper_pages()
    return config


# --- pages that docs/ does not have

def repository_path(page_source, target):
    """Where a link of a page leads, from the top of the tree; nothing for one that leaves it."""
    home = "" if page_source == "index.md" else posixpath.join("docs", posixpath.dirname(page_source))
    path = posixpath.normpath(posixpath.join(home, target))
    return None if path.startswith("..") else path


def is_page_or_picture(path):
    return path.startswith("docs/") and pathlib.PurePath(path).suffix in PICTURES | {".md"} or path == "README.md"


def linked_sources():
    """Files of the tree that pages link to and that are not pages."""
    found = set()
    for page in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        if page.is_relative_to(HERE):
            continue
        source = "index.md" if page == ROOT / "README.md" else page.relative_to(DOCS).as_posix()
        for _, target in LINK.findall(page.read_text(encoding="utf-8")):
            path = repository_path(source, target.partition("#")[0]) if "://" not in target else None
            if path and not is_page_or_picture(path) and (ROOT / path).exists():
                found.add(path)
    return found


def source_page(path):
    """A file as a page, or a folder as a list of its files."""
    place = ROOT / path
    if place.is_dir():
        names = sorted(p.relative_to(place).as_posix() for p in place.rglob("*") if p.is_file())
        return f"# {path}\n\n" + "\n".join(f"- `{name}`" for name in names) + "\n"
    text = place.read_text(encoding="utf-8")
    fence = "`" * 4
    return f"# {path}\n\n{fence}{LANGUAGES.get(place.suffix, '')}\n{text}\n{fence}\n"


def members(names):
    """Directives of mkdocstrings."""
    return "\n".join(f"::: {name}\n    options:\n      show_root_heading: true\n" for name in names)


def python_pages(package):
    """Of the package what __init__.py exports, each from its module; of claros.linear, claros.matrix and claros.survival their classes, of
    claros.inference what it exports."""
    text = (package / "__init__.py").read_text(encoding="utf-8")
    exported = [f"claros.{module}.{name.strip()}" for module, names in re.findall(r"^from \.(\w+) import (.+)$", text, re.M)
                for name in names.split(",") if module != "_claros"]
    said = ast.get_docstring(ast.parse(text))
    pages = {"python/index.md": f"# claros\n\n{said}\n\n{members(exported)}"}
    for module in ("linear", "matrix", "survival"):
        tree = ast.parse((package / f"{module}.py").read_text(encoding="utf-8"))
        names = [f"claros.{module}.{part.name}" for part in tree.body
                 if isinstance(part, ast.ClassDef) and not part.name.startswith("_")]
        pages[f"python/{module}.md"] = f"# claros.{module}\n\n{ast.get_docstring(tree)}\n\n{members(names)}"
    tree = ast.parse((package / "inference.py").read_text(encoding="utf-8"))
    names = [f"claros.inference.{part.name}" for part in tree.body
             if isinstance(part, (ast.ClassDef, ast.FunctionDef)) and not part.name.startswith("_")]
    pages["python/inference.md"] = f"# claros.inference\n\n{ast.get_docstring(tree)}\n\n{members(names)}"
    return pages


def on_files(files, config):
    made = pathlib.Path(config["extra"]["made"])
    for file in list(files):
        if not pathlib.Path(file.abs_src_path).is_relative_to(DOCS):
            continue  # of the theme
        keep = pathlib.PurePath(file.src_path).suffix in PICTURES | {".md"}
        if not keep or file.src_path.startswith("site/"):
            files.remove(file)
    pages = {"index.md": (ROOT / "README.md").read_text(encoding="utf-8")}
    pages.update({f"source/{path}.md": source_page(path) for path in sorted(linked_sources())})
    pages.update(python_pages(made / "package" / "claros"))
    pages["reference.md"] = REFERENCE
    for name, text in pages.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(text, encoding="utf-8")
        files.append(File(name, str(made), config["site_dir"], False))
    for name in ("site.css", "search_from_folder.js"):
        files.append(File(name, str(HERE), config["site_dir"], False))
    return files


# --- links

def site_link(page_source, target):
    """A link of a page, as the site has it."""
    if "://" in target or target.startswith(("#", "mailto:")):
        return target
    file, mark, anchor = target.partition("#")
    path = repository_path(page_source, file)
    if path is None or not (ROOT / path).exists():
        return target
    if path == "README.md":
        place = "index.md"
    elif is_page_or_picture(path):
        place = path[len("docs/"):]
    else:
        place = f"source/{path}.md"
    return posixpath.relpath(place, posixpath.dirname(page_source) or ".") + mark + anchor


def outside_code(markdown, change):
    """The page with every stretch outside of code changed."""
    made, at = [], 0
    for code in re.finditer(r"^```.*?^```$|^(?: {4}|\t)[^\n]*$|(`+).+?\1", markdown, re.S | re.M):
        made += [change(markdown[at:code.start()]), code[0]]
        at = code.end()
    return "".join(made) + change(markdown[at:])


def on_page_markdown(markdown, page, config, files):
    """<c, v> is an inner product, not a tag as Markdown reads it; the pages have no HTML."""
    if page.file.src_path.startswith(MADE):
        return markdown
    figure = DOCS / pathlib.Path(page.file.src_path).with_suffix(".svg")
    if page.file.src_path.startswith("papers/") and figure.exists() and figure.name not in markdown:
        title, _, rest = markdown.partition("\n")
        markdown = f"{title}\n\n![{title.lstrip('# ')}]({figure.name})\n{rest}"
    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.S | re.M)
    # An output such as "(2,) 5" is no formula: the language gives it classes (FormulaSetter).
    linked = "".join(re.sub(r"^```text$", "```output", part, count=1, flags=re.M) if number % 2 else
                     LINK.sub(lambda found: f"{found[1]}({site_link(page.file.src_path, found[2])})", part)
                     for number, part in enumerate(parts))
    return outside_code(linked, lambda text: re.sub(r"<(?=[A-Za-z/])(?!https?:)", "&lt;", text))


# --- formulas

class FormulaSetter(HTMLParser):
    """The HTML of a page, its formulas set; not within code, headings and the section of sources."""

    SKIPPED = {"code", "pre", "a", "h1", "h2", "h3", "math", "script", "style"}

    def __init__(self, prose):
        super().__init__(convert_charrefs=True)
        self.prose, self.made, self.open, self.section, self.heading = prose, [], [], "", False
        self.block = None  # of a <pre>: its HTML and its text

    def handle_starttag(self, tag, attributes):
        text = self.get_starttag_text()
        if tag == "pre":
            self.block = ["", ""]
        if self.block is not None:
            self.block[0] += text
            return
        self.made.append(text)
        if tag == "h2":
            self.section = ""
        if tag in self.SKIPPED:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.made.append(self.get_starttag_text())

    def handle_endtag(self, tag):
        if tag == "pre" and self.block is not None:
            code, text = self.block
            set_ = None if "class=" in code else formulas.in_block(text)  # code of a language has classes
            if 'class="go"' not in code:  # outputs keep their lines
                code = code.replace("<pre", '<pre class="wraps"', 1)
            self.made.append(f'<div class="formula">{set_}</div>' if set_ else code + "</pre>")
            self.block = None
            return
        if self.block is not None:
            self.block[0] += f"</{tag}>"
            return
        if tag in self.open:
            self.open.remove(tag)
        self.made.append(f"</{tag}>")

    def handle_data(self, data):
        if self.block is not None:
            self.block[0] += html.escape(data, quote=False)
            self.block[1] += data
            return
        if "h2" in self.open:
            self.section += data
        plain = not self.prose or self.open or self.section.strip("¶") == "Source"
        self.made.append(html.escape(data, quote=False) if plain else formulas.in_prose(data))

    def handle_comment(self, data):
        self.made.append(f"<!--{data}-->")


def on_page_content(html, page, config, files):
    place = page.file.src_path
    if place.startswith(MADE):
        return html
    setter = FormulaSetter(prose=place.startswith("components/") and not place.endswith("compositions.md"))
    setter.feed(html)
    setter.close()
    return "".join(setter.made)


# --- the index of the search

def on_post_build(config):
    site = pathlib.Path(config["site_dir"])
    index = site / "search" / "search_index.json"
    worker = next((site / "assets" / "javascripts" / "workers").glob("search.*.js"))
    (site / "search" / "search_index.js").write_text(
        "window.clarosSearch = " + index.read_text(encoding="utf-8") + ";\n", encoding="utf-8")
    if not worker.is_file():
        raise FileNotFoundError("mkdocs-material has no worker of the search")
