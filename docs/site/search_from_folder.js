// SPDX-License-Identifier: BSD-3-Clause
// A browser that shows a page from a folder (file:) reads no JSON and starts no worker. There the index of the search is
// a script, and the worker of the theme runs in a frame without a source.
"use strict";
if (location.protocol === "file:") {
  const loaded = new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = window.clarosIndex;
    script.onload = () => resolve(window.clarosSearch);
    script.onerror = () => reject(new Error(script.src + " cannot be read"));
    document.head.append(script);
  });
  // The theme reads the index, and the address of the worker, from this object.
  window.__search = {index: loaded};
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", {data}));
      this.ready = new Promise(resolve => {
        const script = inside.document.createElement("script");
        script.src = address;
        script.onload = resolve;
        inside.document.head.append(script);
      });
    }
    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", {data})));
    }
  };
}
