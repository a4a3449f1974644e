// How many words a text has: what rules/words.py says, in the browser. Both are tested on tests/words_examples.json.
(() => {
  const quoted = /(^|\n)[ \t]{0,3}>[^\n]*/g;
  const target = /(!?\[[^\[\]\n]*\])\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g; // the address of a link or picture
  const tag = /<[/!a-zA-Z][^<>\n]*>/g;
  const word = /[\p{L}\p{N}]+(?:['’\-‐‑][\p{L}\p{N}]+)*/gu;

  const countWords = (text) => {
    const bare = text.normalize("NFC").replace(quoted, "$1 ").replace(target, "$1").replace(tag, " ");
    return (bare.match(word) || []).length;
  };

  globalThis.countWords = countWords;
  if (typeof document === "undefined") return;

  // <textarea data-words="id of what shows the count" data-minimum="100">
  for (const area of document.querySelectorAll("textarea[data-words]")) {
    const shown = document.getElementById(area.dataset.words);
    const show = () => {
      const words = countWords(area.value);
      shown.querySelector("[data-count]").textContent = words;
      shown.classList.toggle("is-enough", words >= Number(area.dataset.minimum));
    };
    area.addEventListener("input", show);
    show();
    shown.hidden = false;
  }
})();
