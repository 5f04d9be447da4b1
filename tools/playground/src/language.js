// The colours of program text and of case files.
import {HighlightStyle, StreamLanguage, syntaxHighlighting} from '@codemirror/language';
import {tags} from '@lezer/highlight';

const rules = (...rules) => ({
  token(stream) {
    for (const [pattern, name] of rules) if (stream.match(pattern)) return name;
    stream.next();
    return null;
  },
});

export const program = StreamLanguage.define({...rules(
  [/\/\/.*/, 'comment'], [/"(?:[^"\\]|\\.)*"?/, 'string'], [/%[\w$.-]+(?:#\d+)?/, 'variableName'], [/[!#]\w[\w.$]*/, 'typeName'], [/[@^][\w$.-]+/, 'labelName'],
  [/-?(?:0x[\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)(?![\w])/, 'number'], [/(?:bf16|[usif]\d+|index|none)\b/, 'typeName'],
  [/(?:module|attributes|ins|outs|return|else|to|step|iter_args)\b/, 'keyword'], [/\w[\w$]*\.[\w.$]+/, 'keyword'], [/\w+/, 'propertyName']), languageData: {commentTokens: {line: '//'}}});

export const settings = StreamLanguage.define({...rules(
  [/#.*/, 'comment'], [/"(?:[^"\\]|\\.)*"?/, 'string'], [/\[\[?[\w.]+\]?\]/, 'keyword'], [/(?:true|false)\b/, 'keyword'], [/-?\d[\d_.eE+-]*/, 'number'], [/[\w.]+(?=\s*=)/, 'propertyName'], [/\w+/, null]),
  languageData: {commentTokens: {line: '#'}}});

const style = HighlightStyle.define([
  {tag: tags.comment, color: 'var(--comment)'}, {tag: tags.string, color: 'var(--string)'}, {tag: tags.variableName, color: 'var(--value)'},
  {tag: tags.typeName, color: 'var(--type)'}, {tag: tags.number, color: 'var(--number)'}, {tag: tags.keyword, color: 'var(--word)'},
  {tag: tags.labelName, color: 'var(--type)', fontWeight: '600'},
]);
export const colours = syntaxHighlighting(style);
