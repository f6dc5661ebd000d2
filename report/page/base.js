// The page of `matchpoint draw`. All text from the program goes into the page as text nodes, never as markup.
// cmake/EmbedPage.cmake lists the scripts in their order; they share one scope.

const $ = (id) => document.getElementById(id);

const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

const draw = (tag, attributes, parent) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  if (parent) parent.append(element);
  return element;
};

const tip = (element, text) => { draw("title", {}, element).textContent = text; };

const clamp = (n, least, most) => Math.max(least, Math.min(n, most));

/** The columns of a text in a monospaced font: East Asian characters take two. */
const columns = (text) => {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let count = 0;
  for (const c of text) count += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/.test(c) ? 2 : 1;
  return count;
};

const cut = (text, count) => {
  if (text.length <= count) return text;
  const characters = Array.from(text);
  return characters.length <= count ? text : characters.slice(0, Math.max(count - 1, 0)).join("") + "…";
};

/** A label that ends with a place is cut in front of it: its end says the line. */
const cutLabel = (text, count) => {
  const characters = Array.from(text);
  if (characters.length <= count || !data.places) return cut(text, count);
  return "…" + characters.slice(characters.length - Math.max(count - 1, 0)).join("");
};

/** R9 before R10; otherwise as characters are numbered. */
const natural = (() => {
  const parts = new Map();
  const split = (text) => {
    if (parts.size > 100000) parts.clear();
    let found = parts.get(text);
    if (found === undefined) parts.set(text, found = text.match(/\d{1,15}|\D+/g) ?? []);
    return found;
  };
  return (a, b) => {
    const [x, y] = [split(a), split(b)];
    for (let i = 0; i < Math.min(x.length, y.length); ++i) {
      if (x[i] === y[i]) continue;
      const by = Number(x[i]) - Number(y[i]);
      return by || (x[i] < y[i] ? -1 : 1); // not a number: by its characters
    }
    return x.length - y.length;
  };
})();

/** The index of the first element of a sorted array that is at least `value`. */
const lowerBound = (sorted, value) => {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
};
