import { plural } from './plural.ts'
import { codePointName } from './text.ts'
/** Characters of a text that people do not see and models read. */

interface CharacterKind {
  readonly name: string
  readonly ranges: readonly (readonly [number, number])[]
}

const tags = 'tag characters'
const joiners = 'zero-width characters'
const variants = 'variation selectors'
const mongolian = 'Mongolian variation selectors'
const directions = 'direction marks'

const kinds: readonly CharacterKind[] = [
  { name: tags, ranges: [[0xe0000, 0xe007f]] },
  {
    name: 'bidirectional controls',
    ranges: [
      [0x202a, 0x202e],
      [0x2066, 0x2069],
    ],
  },
  {
    name: directions,
    ranges: [
      [0x061c, 0x061c],
      [0x200e, 0x200f],
    ],
  },
  {
    name: joiners,
    ranges: [
      [0x180e, 0x180e],
      [0x200b, 0x200d],
      [0x2060, 0x2064],
      [0xfeff, 0xfeff],
    ],
  },
  {
    name: variants,
    ranges: [
      [0xfe00, 0xfe0f],
      [0xe0100, 0xe01ef],
    ],
  },
  {
    name: mongolian,
    ranges: [
      [0x180b, 0x180d],
      [0x180f, 0x180f],
    ],
  },
  {
    name: 'private use characters',
    ranges: [
      [0xe000, 0xf8ff],
      [0xf0000, 0xffffd],
      [0x100000, 0x10fffd],
    ],
  },
  {
    name: 'invisible fillers',
    ranges: [
      [0x00ad, 0x00ad],
      [0x034f, 0x034f],
      [0x115f, 0x1160],
      [0x17b4, 0x17b5],
      [0x2065, 0x2065],
      [0x206a, 0x206f],
      [0x3164, 0x3164],
      [0xffa0, 0xffa0],
      [0xfff0, 0xfffb],
      [0x1d173, 0x1d17a],
    ],
  },
  {
    name: 'control characters',
    ranges: [
      [0x00, 0x08],
      [0x0b, 0x0c],
      [0x0e, 0x1f],
      [0x7f, 0x84],
      [0x86, 0x9f],
    ],
  },
]

const kindOf = (point: number): string | null =>
  kinds.find(({ ranges }) => ranges.some(([first, last]) => point >= first && point <= last))?.name ?? null

// Only texts with one of these are looked at character by character.
const suspicious = /[\p{Cc}\p{Co}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u

const pictures = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u
const emoji = /^[\p{Emoji}\p{Extended_Pictographic}]$/u
const keycap = /^[0-9#*]$/
const han = /^\p{Script=Han}$/u
// Symbols, punctuation of East Asia and letters of Myanmar have a second form (Unicode, StandardizedVariants.txt).
const twoForms = /^[\p{Sm}\p{So}\p{Script=Myanmar}\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f]$/u
// Scripts that are written with joiners, and from the right.
const joined =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]$/u
const fromTheRight = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

// Scripts whose words are not separated by spaces: a zero-width space says where a line may end.
const unspaced = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]$/u

/** Whether a variation selector selects a form that there is: several behind each other, or behind a letter, only carry bits. */
function selects(selector: number, before: string, after: string): boolean {
  if (selector >= 0xe0100) return han.test(before)
  if (selector >= 0xfe0e) return keycap.test(before) ? after === '\u20e3' : emoji.test(before)
  return han.test(before) ? selector <= 0xfe02 : selector <= 0xfe01 && twoForms.test(before)
}

/** So many characters from the flag to the closing tag, at most. */
const longestFlag = 7

/** Whether a character is used as intended: within an emoji, a script that requires it, or right-to-left text. */
function isOrdinary(points: readonly string[], at: number, kind: string, text: string): boolean {
  const [before = '', after = ''] = [points[at - 1], points[at + 1]]
  if (kind === directions) return fromTheRight.test(text)
  if (kind === variants) return selects(points[at]?.codePointAt(0) ?? 0, before, after)
  if (kind === mongolian) return /^\p{Script=Mongolian}$/u.test(before)
  if (kind === joiners && points[at] === '\u200b') return unspaced.test(before) && unspaced.test(after)
  if (kind === joiners)
    return (
      ['\u200c', '\u200d'].includes(points[at] ?? '') &&
      ((pictures.test(before) && pictures.test(after)) || joined.test(before))
    )
  if (kind !== tags) return false
  // The flags of countries within countries: a black flag, letters of tags, the closing tag.
  let start = at
  while (start > 0 && at - start <= longestFlag && kindOf(points[start - 1]?.codePointAt(0) ?? 0) === tags) start--
  const end = points.slice(at, start + longestFlag + 1).indexOf('\u{e007f}')
  return points[start - 1] === '\u{1f3f4}' && end !== -1
}

/** What is hidden in a text. */
export interface HiddenText {
  /** "3 zero-width characters (U+200B)", for each kind. */
  readonly kinds: readonly string[]
  /** The text that tag characters (U+E0000…) encode; "" without any. */
  readonly spelled: string
  /** The text without them. */
  readonly clean: string
}

/** A text as a person has to see it: every invisible character by its number, what tag characters spell in quotes. */
export function showHiddenText(text: string): string {
  if (!suspicious.test(text)) return text
  const points = Array.from(text)
  const shown = points.map((char, at) => {
    const point = char.codePointAt(0) ?? 0
    const kind = kindOf(point)
    if (kind === null || isOrdinary(points, at, kind, text)) return char
    if (kind !== tags || point < 0xe0020 || point === 0xe007f) return `⟨${codePointName(char)}⟩`
    return `⟨tag ${JSON.stringify(String.fromCodePoint(point - 0xe0000))}⟩`
  })
  // One sign for what a row of tag characters spells.
  return shown.join('').replaceAll(/(?:⟨tag "(?:[^"\\]|\\.)"⟩)+/g, (row) => {
    const letters = [...row.matchAll(/⟨tag ("(?:[^"\\]|\\.)")⟩/g)].map(([, it]) => JSON.parse(it ?? '""') as string)
    return `⟨hidden ${JSON.stringify(letters.join(''))}⟩`
  })
}

/** Finds invisible characters, except those of emoji and of scripts that require them; null if there are none. */
export function findHiddenText(text: string): HiddenText | null {
  if (!suspicious.test(text)) return null
  const points = Array.from(text)
  const found = points.map((char, at) => {
    const kind = kindOf(char.codePointAt(0) ?? 0)
    return kind === null || isOrdinary(points, at, kind, text) ? null : { kind, char }
  })
  const hidden = found.filter((it) => it !== null)
  if (hidden.length === 0) return null
  const named = [...Map.groupBy(hidden, (it) => it.kind)].map(([kind, all]) => {
    const names = [...new Set(all.map((it) => codePointName(it.char)))]
    const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', ')
    return `${plural(all.length, kind.slice(0, -1))} (${shown})`
  })
  const spelled = hidden
    .filter((it) => it.kind === tags)
    .map((it) => String.fromCodePoint(Math.max(0x20, (it.char.codePointAt(0) ?? 0) - 0xe0000)))
    .join('')
    .replaceAll('\x7f', '')
    .trim()
  return { kinds: named, spelled, clean: points.filter((_, at) => found[at] === null).join('') }
}
