"""What a screen reader says by itself: all that happens, once, and what is asked of its seat."""

from __future__ import annotations


from tests.phones.knave import player_alone
from tests.phones.people import Company

# Pushes come in one and the same moment, as when a shout closes the shouting.
SAYS_TWO = """async () => {
  const { say } = await import(document.querySelector('script[src*="/page."]').src);
  window.heard = [];
  const heard = new MutationObserver((all) => all.forEach(({ addedNodes }) =>
    addedNodes.forEach((one) => window.heard.push(one.textContent))));
  heard.observe(document.getElementById('say'), { childList: true });
  for (const words of ['Ben shouts.', 'Ben must roll.']) say(words);
  return document.getElementById('say').textContent;
}"""


def test_the_second_of_two_sentences_leaves_the_first_to_be_read(company: Company) -> None:
    """A screen reader that came to read the first found the second, and said that one twice."""
    ben = player_alone(company)
    ben.catches_up()
    said = ben.page.evaluate(SAYS_TWO)
    assert "Ben shouts." in said
    assert "Ben must roll." in said
    assert ben.page.evaluate("window.heard") == ["Ben shouts.", "Ben must roll."]
