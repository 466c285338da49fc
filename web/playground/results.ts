/** Answers of the engines as elements. */
import type { Change, ChangeSide } from '../../src/diff/change.ts'
import type { Finding } from '../../src/lint/finding.ts'
import type { CompareAnswer } from '../../src/playground/compare.ts'
import type { Made } from '../../src/playground/convert.ts'
import type { LintAnswer } from '../../src/playground/lint.ts'
import type { Contained } from '../../src/diff/contains.ts'
import { button, element } from './element.ts'

type Range = Finding['range']

/** Shows a place of a text. */
export type Reveal = (range: Range) => void

const mostShown = 300

/** A row that leads to its place. */
function row(
  word: string,
  tone: string,
  message: string,
  facts: readonly (string | HTMLElement | null)[],
  go: (() => void) | null,
) {
  const inside = [
    element('span', { class: `word ${tone}` }, word),
    element('span', { class: 'message' }, message),
    element('span', { class: 'facts' }, ...facts),
  ]
  if (go === null) return element('li', { class: 'row' }, ...inside)
  const line = element('button', { type: 'button', class: 'row' }, ...inside)
  line.addEventListener('click', go)
  return element('li', {}, line)
}

/** The rest of a list that is too long to draw, as one line. */
const rest = (count: number): HTMLElement[] =>
  count <= mostShown ? [] : [element('li', { class: 'rest' }, `and ${count - mostShown} more`)]

const placeOf = ({ start }: Range): string => `line ${start.line + 1}`

/** What was found in a document, the worst first. */
export function lintResults(answer: LintAnswer, reveal: Reveal, fix: (() => void) | null): HTMLElement {
  const { summary } = answer
  const shown = summary.grade
  const order = ['error', 'warning', 'info', 'hint']
  const findings = answer.findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  const words = order
    .filter((severity) => (summary.counts[severity] ?? 0) > 0)
    .map(
      (severity) =>
        `${summary.counts[severity]} ${severity}${summary.counts[severity] === 1 || severity === 'info' ? '' : 's'}`,
    )
  return element(
    'section',
    { class: 'results', 'aria-label': 'Findings' },
    element(
      'header',
      {},
      shown === null
        ? element('span', { class: 'grade none' }, '–')
        : element('span', { class: `grade ${shown.letter}`, title: `Score ${shown.score}` }, shown.letter),
      element(
        'p',
        {},
        shown === null ? 'Not graded' : `Score ${shown.score} of 100`,
        element('span', { class: 'soft' }, words.length === 0 ? 'No findings' : words.join(', ')),
      ),
      fix === null ? null : button('Apply safe fixes', fix, { class: 'plain' }),
    ),
    element(
      'ul',
      {},
      ...findings
        .slice(0, mostShown)
        .map(({ severity, message, code, range }) =>
          row(severity, severity, message, [element('code', {}, code), placeOf(range)], () => reveal(range)),
        ),
      ...rest(findings.length),
    ),
  )
}

/** The tone of a change by its verdict and what it may do to clients. */
function toneOf({ severity, classification }: Change): readonly [word: string, tone: string] {
  if (classification === 'unknown') return ['undecided', 'warning']
  if (severity === 'breaking') return ['breaking', 'error']
  return severity === 'non-breaking' ? ['compatible', 'good'] : ['docs', 'hint']
}

const verdicts: Readonly<Record<string, readonly [word: string, tone: string]>> = {
  breaking: ['Breaking', 'error'],
  undecided: ['Undecided', 'warning'],
  compatible: ['Compatible', 'good'],
  'docs-only': ['Documentation only', 'good'],
  unchanged: ['No differences', 'good'],
}

function witnessOf({ witness }: Change): HTMLElement | null {
  if (witness === null) return null
  return element(
    'div',
    { class: 'witness' },
    element('span', { class: 'soft' }, `Counterexample, accepted by the ${witness.acceptedBy} only:`),
    element('pre', {}, JSON.stringify(witness.value, null, 2)),
  )
}

/** What changed between two documents, with a counterexample for each change that has one. */
export function compareResults(
  { summary, changes }: CompareAnswer,
  reveal: (side: 'base' | 'head', range: Range) => void,
): HTMLElement {
  const [word, tone] = verdicts[summary.outcome] ?? [summary.outcome, 'hint']
  const items = changes.slice(0, mostShown).map((change) => {
    const [label, kind] = toneOf(change)
    const side: 'base' | 'head' = change.head?.range ? 'head' : 'base'
    const at: ChangeSide | null = change.head?.range ? change.head : change.base
    const range = at?.range
    const operation = change.operations[0] ?? null
    const line = row(
      label,
      kind,
      change.message,
      [element('code', {}, change.id), operation],
      range ? () => reveal(side, range) : null,
    )
    const witness = witnessOf(change)
    if (witness !== null) line.append(witness)
    return line
  })
  return element(
    'section',
    { class: 'results', 'aria-label': 'Changes' },
    element('header', {}, element('span', { class: `verdict ${tone}` }, word), element('p', {}, summary.conclusion)),
    element('ul', {}, ...items, ...rest(changes.length)),
  )
}

const containment: ReadonlyMap<boolean | null, readonly [word: string, tone: string]> = new Map([
  [true, ['Contained', 'good']],
  [false, ['Not contained', 'error']],
])

/** Whether one schema contains another, with the value that shows that it does not. */
export function containedResults({ contains, counterexample, reason }: Contained): HTMLElement {
  const [word, tone] = containment.get(contains) ?? ['Undecided', 'warning']
  const sentence = contains ? 'Every value of A is a value of B.' : (reason ?? '')
  return element(
    'section',
    { class: 'results', 'aria-label': 'Containment' },
    element('header', {}, element('span', { class: `verdict ${tone}` }, word), element('p', {}, sentence)),
    counterexample === undefined
      ? null
      : element(
          'div',
          { class: 'witness' },
          element('span', { class: 'soft' }, 'A accepts this value and B refuses it:'),
          element('pre', {}, JSON.stringify(counterexample, null, 2)),
        ),
  )
}

/** What a text that was made cannot say. */
export function notesOf({ notes }: Made, none: string): HTMLElement {
  const losses = notes.filter(({ loss }) => loss).length
  const heading =
    notes.length === 0
      ? none
      : `${notes.length} notes, ${losses === 0 ? 'nothing is lost' : `${losses} of them losses`}`
  return element(
    'section',
    { class: 'results', 'aria-label': 'Notes' },
    element('header', {}, element('p', {}, heading)),
    element(
      'ul',
      {},
      ...notes
        .slice(0, mostShown)
        .map(({ message, code, line, loss }) =>
          row(
            loss ? 'loss' : 'note',
            loss ? 'warning' : 'hint',
            message,
            [element('code', {}, code), `line ${line}`],
            null,
          ),
        ),
      ...rest(notes.length),
    ),
  )
}

/** Why there is no answer. */
export const refusal = (message: string): HTMLElement =>
  element(
    'section',
    { class: 'results', role: 'alert' },
    element('header', {}, element('span', { class: 'verdict error' }, 'Not checked'), element('p', {}, message)),
  )
