// Values that a text names, without the one at `but`.
export function words_of(text, but) {
  const names = new Set();
  for (const match of text.matchAll(/%[\w$.-]+/g)) if (match.index !== but) names.add(match[0]);
  return [...names].sort();
}
