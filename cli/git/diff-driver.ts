/** The external diff of git (git(1), GIT_EXTERNAL_DIFF): the classified changes of a description, the lines of any other file. */
import { diff } from '../../src/diff/diff.ts'
import { conclusionOf } from '../../src/diff/conclusion.ts'
import type { Document } from '../../src/document/document.ts'
import { isEqual } from '../../src/anchors/equal-nodes.ts'
import { changesAsText } from '../../src/report/changes/text.ts'
import { frameOf } from '../diff/compare.ts'
import type { Invocation, Result } from '../declare.ts'
import { git, lines } from '../input/git/process.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { inOverlays } from '../diff/overlaid.ts'
import { laidOver, overlaysOf } from '../project-file/overlays.ts'
import { isOurs, readDescribed } from './described.ts'

type DiffInvocation = Invocation<{ readonly path: string; readonly files: readonly string[] }>

/** Where a file is not there on one side. */
const nowhere = '/dev/null'

/** Whether git shows colours: it says so to its pager, else as its configuration says. */
async function isColoured({ cwd, signal, env, io }: DiffInvocation): Promise<boolean> {
  if ((env.NO_COLOR ?? '') !== '') return false
  const isShown = env.GIT_PAGER_IN_USE === 'true' || env.GIT_PAGER_IN_USE === '1' || io.colour.stdout
  const answer = await lines(['config', '--get-colorbool', 'color.diff', String(isShown)], { cwd, signal })
  return answer?.[0] === 'true'
}

/** What git itself shows of two files, by lines. */
async function byLines(
  path: string,
  [before, after]: readonly [string, string],
  coloured: boolean,
  { cwd, signal }: DiffInvocation,
): Promise<string> {
  const words = ['diff', '--no-index', '--no-ext-diff', `--color=${coloured ? 'always' : 'never'}`, '--', before, after]
  const { bytes } = await git(words, { cwd, signal })
  const shown = new TextDecoder().decode(bytes).split('\n')
  // The names of the files are those of copies that git made.
  const from = shown.findIndex((it) => /^(?:@@|Binary files)/.test(Bun.stripANSI(it)))
  if (from < 0) return ''
  const bold = (it: string): string => (coloured ? `\u001b[1m${it}\u001b[m` : it)
  const isBinary = shown[from]!.includes('Binary files')
  const head = [
    bold(`diff --git a/${path} b/${path}`),
    ...(isBinary
      ? []
      : [
          bold(before === nowhere ? '--- /dev/null' : `--- a/${path}`),
          bold(after === nowhere ? '+++ /dev/null' : `+++ b/${path}`),
        ]),
  ]
  const body = isBinary ? [`Binary files a/${path} and b/${path} differ`, ''] : shown.slice(from)
  return [...head, ...body].join('\n')
}

/** Both sides of a file, and what is said of them. */
interface Sides {
  readonly base: Document
  readonly head: Document
  /** Lines above the changes, and below them. */
  readonly above: string
  readonly below: string
}

/**
 * Both sides with the overlays that `svc.yaml` names now: git does not say which commits the texts are of. Where the overlays cannot be
 * applied, the sides stay as they are, which is said.
 */
async function withOverlaysOf(path: string, base: Document, head: Document, cwd: string): Promise<Sides> {
  try {
    const overlays = await overlaysOf(path, { cwd })
    if (overlays.length === 0) return { base, head, above: '', below: '' }
    const [older, newer] = [await laidOver(base, overlays), await laidOver(head, overlays)]
    const known = new Set(diff(older.document, newer.document, {}).changes.map(({ fingerprint }) => fingerprint))
    const hidden = diff(base, head, {}).changes.filter((it) => !known.has(it.fingerprint))
    const names = overlays.map(({ document }) => document.source).join(', ')
    return {
      base: older.document,
      head: newer.document,
      above: `With the overlays that svc.yaml names now: ${names}.\n`,
      below:
        hidden.length === 0 ? '' : `The overlays hide or replace ${plural(hidden.length, 'change')} of the file.\n`,
    }
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return { base, head, above: `Without the overlays of svc.yaml: ${error.message}\n`, below: '' }
  }
}

async function byMeaning(
  path: string,
  older: Document,
  newer: Document,
  coloured: boolean,
  cwd: string,
): Promise<string> {
  const bold = (it: string): string => (coloured ? `\u001b[1m${it}\u001b[m` : it)
  const title = bold(`diff --svc a/${path} b/${path}`)
  if (isEqual(older.value, newer.value)) return `${title}\nOnly comments, order or layout changed.\n`
  const { base, head, above, below } = await withOverlaysOf(path, older, newer, cwd)
  const result = inOverlays(diff(base, head, {}), base, head)
  const report = {
    ...frameOf(result),
    base: `a/${path}`,
    head: `b/${path}`,
    verdict: conclusionOf(result, null),
    consumers: null,
  }
  return `${title}\n${above}${changesAsText(report, { colour: coloured })}${below}`
}

/** Shows how a file changed: `files` are the seven or nine words of git without the first. */
export async function diffDriver(invocation: DiffInvocation): Promise<Result> {
  const { args, cwd } = invocation
  const [before = nowhere, , , after = nowhere] = args.files
  const coloured = await isColoured(invocation)
  const path = args.path
  const [base, head] = await Promise.all([before, after].map((it) => readDescribed(it, path, cwd)))
  const comparable = base != null && head != null && base.format?.kind === head.format?.kind
  const isShown = comparable && base.format !== null && (await isOurs(path, [base, head], cwd))
  return {
    text: isShown
      ? await byMeaning(path, base, head, coloured, cwd)
      : await byLines(path, [before, after], coloured, invocation),
  }
}
