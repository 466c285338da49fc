import { relative } from 'node:path'
import type { ToolContext } from '../../../../mcp/tool.ts'
import { parseDocument } from '../../../../src/document/parse.ts'
import { Lines } from '../../../../src/document/lines.ts'
import type { Document } from '../../../../src/document/document.ts'
import { SvcError } from '../../../../src/errors.ts'
import type { Json } from '../../../../src/kernel/json.ts'
import type { Finding } from '../../../../src/lint/finding.ts'
import { checkedChange, checkedFinding, isShort, worstFirst } from '../../../../src/report/checked.ts'
import { unifiedDiff } from '../../../../src/report/unified-diff.ts'
import type { AskedEdit, EditArguments } from '../arguments.ts'
import type { Design } from '../design.ts'
import { fitted } from '../fit.ts'
import type { Judgement } from '../judge.ts'
import { editedText, type Edit } from '../patch.ts'
import type { OpenedFile } from '../repository.ts'

function readEdit({ op, path, pointer, anchor, value }: AskedEdit, at: number, name: string): Edit {
  const named = [path, pointer, anchor].filter((it) => it !== undefined)
  const [place] = named
  if (place === undefined || named.length > 1)
    throw new SvcError('edit-refused', { at: at + 1, name, reason: 'it needs one "path": a JSON Pointer or an anchor' })
  return { op, path: place, ...(value === undefined ? {} : { value: value as Json }) }
}

/** @throws SvcError `document-invalid` where the file cannot be read as JSON or YAML: nothing in it has a place */
function documentOf({ name, text }: OpenedFile): Document {
  const document = parseDocument(text, { source: name })
  const fault = document.problems.find((it) => it.severity === 'error')
  if (document.value !== null && fault === undefined) return document
  const { line, character } = fault?.range.start ?? { line: 0, character: 0 }
  throw new SvcError('document-invalid', {
    reason: `${name}:${line + 1}:${character + 1}: ${(fault?.message ?? 'it is empty').replace(/\.$/, '')}`,
  })
}

/**
 * The text of a file after edits, or after an overlay, whose order and comments stay.
 * @throws SvcError `usage` for both or neither, `edit-refused`, and for an overlay what reading and applying it refuse
 */
async function changedText(
  opened: OpenedFile,
  { edits, overlay }: { readonly edits: readonly AskedEdit[] | undefined; readonly overlay: unknown },
): Promise<string> {
  const document = documentOf(opened)
  if ((edits === undefined) === (overlay === undefined))
    throw new SvcError('usage', { reason: 'Send either "edits" or an "overlay"' })
  if (edits !== undefined)
    return editedText(
      document,
      edits.map((it, at) => readEdit(it, at, opened.name)),
      opened.name,
    )
  const [{ overlayOf }, { applyOverlay }] = await Promise.all([
    import('../../../../src/overlay/read.ts'),
    import('../../../../src/overlay/apply.ts'),
  ])
  const written = typeof overlay === 'string' ? overlay : JSON.stringify(overlay)
  return applyOverlay(document, [overlayOf(parseDocument(written, { source: 'overlay' }))]).document.text
}

/** The edit as an overlay for a file of its own. */
async function overlayOfEdit(
  { name, path, text }: OpenedFile,
  edited: string,
  into: string,
  folder: string,
): Promise<string> {
  const [{ writtenOverlay }, { extendsOf }] = await Promise.all([
    import('../../../../src/overlay/written.ts'),
    import('../../../overlay/extends.ts'),
  ])
  const [before, after] = [text, edited].map((it) => parseDocument(it, { source: name }).value)
  const info = {
    title: `Edits of ${name}`,
    version: '1.0.0',
    extends: extendsOf({ name, place: path.replaceAll('\\', '/') }, into, folder),
  }
  return writtenOverlay(before ?? null, after ?? null, info, /\.json$/i.test(into) ? 'json' : 'yaml').text
}

const sameDigest = (given: string, digest: string): boolean => digest === given || digest === `sha256:${given}`

function assertCurrent({ name, digest }: OpenedFile, expected: string | undefined, isDry: boolean): void {
  if (expected === undefined && !isDry)
    throw new SvcError('usage', {
      reason: `Send expected_digest to write: ${name} has ${digest} now, as a dry run answers`,
    })
  if (expected !== undefined && !sameDigest(expected.trim().toLowerCase(), digest))
    throw new SvcError('edit-outdated', { name, digest })
}

/** Findings in the shape of lint.check; those of the edited file with their exact edits, at its places in `text`. */
function shownFindings(findings: readonly Finding[], name: string, text: string) {
  const lines = new Lines(text)
  return findings.map((it) => {
    const { fix, ...found } = checkedFinding(it, it.source === name ? lines : null)
    const file = it.source === name ? {} : { file: it.source }
    return fix !== undefined && isShort(fix) ? { ...found, ...file, fix } : { ...found, ...file }
  })
}

const shownChanges = ({ changes }: Judgement) =>
  worstFirst(changes).map((it) => {
    const { witness, ...change } = checkedChange(it)
    return witness !== undefined && isShort(witness) ? { ...change, witness } : change
  })

/** An edit is evaluated at most so often, where files beside it change meanwhile. */
const mostTries = 5

interface Wanted {
  readonly text: string
  /** Fingerprints of changes that may break. */
  readonly accept: readonly string[]
  readonly writes: boolean
  /** The overlay that is written in place of the file; null where the file is. */
  readonly into: { readonly name: string; readonly text: string } | null
}

/**
 * Evaluates an edit, and writes it if it may be written. Two edits of different files may break only together, so that one is
 * evaluated again where a file that decided is another one when it is written.
 * @returns `digest` null where nothing was written, `open` the fingerprints that would have to be accepted
 * @throws SvcError `edit-outdated`, and as evaluating it does
 */
async function judgeAndWrite(
  { repository, judge }: Awaited<ReturnType<Design['judge']>>,
  opened: OpenedFile,
  { text, accept, writes, into }: Wanted,
): Promise<{ readonly judged: Judgement; readonly open: readonly string[]; readonly digest: string | null }> {
  let changed = opened.path
  for (let tries = 0; tries < mostTries; tries++) {
    const judged = await judge.judge(opened, text)
    const breaking = judged.changes.filter((it) => it.severity === 'breaking').map((it) => it.fingerprint)
    const open = [...new Set(breaking)].filter((it) => !accept.includes(it))
    if (!writes || open.length > 0) return { judged, open, digest: null }
    if (into !== null) {
      repository.create(into.name, into.text)
      return { judged, open, digest: opened.digest }
    }
    const done = await repository.replace(opened, text, judged.read)
    if ('digest' in done) return { judged, open, digest: done.digest }
    changed = done.changed
  }
  const name = relative(repository.folder, changed).replaceAll('\\', '/')
  const { digest } = await repository.open(name)
  throw new SvcError('edit-outdated', { name, digest })
}

/** Changes a file, or says what would become of it. @throws SvcError as the files of the repository and the arguments need it */
export async function run(
  design: Design,
  { file, edits, overlay, into, expected_digest, dry_run: isDry = true, accept = [] }: EditArguments,
  { budgetBytes }: ToolContext,
): Promise<object> {
  const { repository, judge } = await design.judge()
  const opened = await repository.open(file)
  assertCurrent(opened, expected_digest, isDry)
  const text = await changedText(opened, { edits, overlay })
  const made =
    into === undefined ? null : { name: into, text: await overlayOfEdit(opened, text, into, repository.folder) }
  const wanted = { text, accept, writes: !isDry && text !== opened.text, into: made }
  const { judged, open, digest } = await judgeAndWrite({ repository, judge }, opened, wanted)
  const notes =
    made === null
      ? judged.notes
      : [...judged.notes, `Name ${into} in svc.yaml, ahead of the other "overlays" of the API: ${opened.name} stays.`]
  const frame = {
    written: digest !== null,
    digest: digest ?? opened.digest,
    verdict: judged.verdict,
    next_version: judged.nextVersion,
    compared_with: judged.comparedWith,
    ...(notes.length === 0 ? {} : { notes }),
  }
  return fitted(
    frame,
    {
      not_accepted: open,
      changes: shownChanges(judged),
      new_findings: shownFindings(judged.newFindings, opened.name, text),
      gone_findings: shownFindings(judged.goneFindings, opened.name, opened.text),
      consumers: judged.consumers,
      ...(made === null ? { diff: unifiedDiff(opened.text, text, opened.name) } : { overlay: made.text }),
    },
    budgetBytes,
  )
}
