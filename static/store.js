// What a page keeps in the browser, for this tab or for this phone. A browser may refuse that
// (cookies are off, a private window) or have no room: then it is kept for as long as the page
// lives. So is what is this tab's alone, in any case: somebody may empty the browser meanwhile.

function keeping(name, isShared) {
  const here = new Map();
  const tries = (how) => {
    try {
      return how(window[name]);
    } catch {
      return null;
    }
  };
  const hereAlone = new Set(); // what the browser would not keep
  // A page that comes back as it was left knows nothing of what the tab's other pages have kept since.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) for (const key of here.keys()) hereAlone.has(key) || here.delete(key);
  });
  return {
    getItem: (key) => here.get(key) ?? tries((store) => store.getItem(key)),
    // Returns whether the next page will find it.
    setItem(key, value) {
      here.set(key, String(value));
      const isKept = tries((store) => store.setItem(key, value)) === undefined;
      hereAlone[isKept ? "delete" : "add"](key);
      if (isKept && isShared) here.delete(key);
      return isKept;
    },
    removeItem(key) {
      here.delete(key);
      tries((store) => store.removeItem(key));
    },
  };
}

export const tabStore = keeping("sessionStorage", false);
export const phoneStore = keeping("localStorage", true);

// --- style sheets ---------------------------------------------------------------------------------
// Those that this browser does not have stand in the page (config/style_sheets.py). Once all else
// has come they are fetched as files, for the next page, and a cookie tells the house.
const MOST_STYLES = 24; // several releases' would make each request longer

async function keepStyles() {
  const standing = [...document.querySelectorAll("style[data-file]")];
  if (!standing.length) return;
  for (const { dataset } of standing) {
    const answer = await fetch(dataset.file, { priority: "low" });
    if (!answer.ok) return;
    await answer.text();
  }
  const had = /(?:^|; )styles=([\w.]+)/.exec(document.cookie)?.[1].split(".") ?? [];
  const marks = new Set([...had, ...standing.map((one) => one.dataset.mark)]);
  const value = [...marks].slice(-MOST_STYLES).join(".");
  document.cookie = `styles=${value}; path=/; max-age=34560000; samesite=lax`;
}

// Without a line they stand in the next page as well.
addEventListener("load", () => keepStyles().catch(() => {}));
