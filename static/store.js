// What a page keeps in the browser, for this tab or for this phone. A browser may refuse that
// (cookies are off, a private window) or have no room: then it is kept for as long as the page
// lives.

function keeping(name) {
  const here = new Map();
  const tries = (how) => {
    try {
      return how(window[name]);
    } catch {
      return null;
    }
  };
  return {
    getItem: (key) => here.get(key) ?? tries((store) => store.getItem(key)),
    setItem(key, value) {
      here.set(key, String(value));
      if (tries((store) => store.setItem(key, value)) === undefined) here.delete(key);
    },
    removeItem(key) {
      here.delete(key);
      tries((store) => store.removeItem(key));
    },
  };
}

export const tabStore = keeping("sessionStorage");
export const phoneStore = keeping("localStorage");
