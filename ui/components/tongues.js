// The language that a text is in: by its letters, and where letters do not tell, by its commonest words.
const SCRIPTS = [["ja", /[\u3040-\u30ff]/gu], ["zh", /\p{Script=Han}/gu], ["ko", /\p{Script=Hangul}/gu], ["ru", /\p{Script=Cyrillic}/gu], ["ar", /\p{Script=Arabic}/gu], ["el", /\p{Script=Greek}/gu], ["th", /\p{Script=Thai}/gu]];
const WORDS = Object.entries({
  en: "the and of to you that it is was with not this my your",
  fr: "le la les des est une que pas pour dans je vous elle avec et",
  de: "der die das und ist nicht ein ich sie mit zu auf den von",
  es: "el los las que es una por con se está yo pero como del y",
  it: "il gli che di è una non per con sono ma della si ho",
  pt: "o os as que é uma não por com um mas para eu do da",
  nl: "de het een en van ik niet is dat je met op zijn maar",
}).map(([code, words]) => [code, new Set(words.split(" "))]);
const ENOUGH = 3;      // common words: fewer may stand in a text of any language
const byWords = (text) => {
  const said = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const [code, found] = WORDS.map(([each, words]) => [each, said.filter((word) => words.has(word)).length]).reduce((best, one) => (one[1] > best[1] ? one : best));
  return found >= ENOUGH ? code : "";
};
// Where neither tells, the language of the conversation, if it is written in such letters.
K.languageOf = (text) => {
  const letters = (text.match(/\p{L}/gu) ?? []).length || 1;
  const found = SCRIPTS.find(([, letter]) => (text.match(letter) ?? []).length / letters > 0.2);
  if (found) return found[0];
  const here = K.here()?.language ?? "en";
  const told = byWords(text) || (SCRIPTS.some(([code]) => code === here.split("-")[0]) ? "en" : here);
  return told === here.split("-")[0] ? here : told;
};
