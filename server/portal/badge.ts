import { escapeMarkup } from '../../src/report/escape.ts'

export type BadgeTone = 'good' | 'fair' | 'bad' | 'plain'

/** What a badge says: a subject and its state. */
export interface Badge {
  readonly subject: string
  readonly state: string
  readonly tone: BadgeTone
}

const colours: Readonly<Record<BadgeTone, string>> = {
  good: '#146c37',
  fair: '#855300',
  bad: '#b1241c',
  plain: '#44524d',
}

const longest = 40
const padding = 12

const widthOfLetter = (letter: string): number => {
  if (/[ijl.,:;|!' ]/.test(letter)) return 3.6
  return /[A-Zmw%@]/.test(letter) ? 8.4 : 6.5
}

/** About as wide as the text is drawn in 11 pixels of a common sans-serif font; the text is fitted to it. */
const widthOf = (text: string): number => Math.round(Array.from(text).reduce((sum, it) => sum + widthOfLetter(it), 0))

/** A badge as SVG that needs nothing else: no font, no script, no other address. */
export function drawBadge({ subject, state: given, tone }: Badge): string {
  const state = given.length > longest ? `${given.slice(0, longest - 1)}…` : given
  const [left, right] = [widthOf(subject) + padding, widthOf(state) + padding]
  const text = (said: string, from: number, width: number): string =>
    `<text x="${from + width / 2}" y="14" textLength="${width - padding}">${escapeMarkup(said)}</text>`
  const label = escapeMarkup(`${subject}: ${state}`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}">`,
    `<title>${label}</title>`,
    `<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#2b3532"/><rect x="${left}" width="${right}" height="20" fill="${colours[tone]}"/></g>`,
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" lengthAdjust="spacingAndGlyphs">${text(subject, 0, left)}${text(state, left, right)}</g>`,
    '</svg>',
  ].join('')
}

/** How good a grade looks. */
export const toneOfGrade = (grade: string | null): BadgeTone => {
  if (grade === null) return 'plain'
  if ('AB'.includes(grade)) return 'good'
  return 'CD'.includes(grade) ? 'fair' : 'bad'
}
