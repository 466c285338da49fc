/** The first stage of `svc lint`: every file is read, fixed where that is asked for, and linted. */
import { resolve } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import { type Detail, SvcError } from '../../src/errors.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { fingerprintIn } from '../../src/lint/fingerprint.ts'
import type { VisibleFix } from '../../src/lint/fix/fix.ts'
import type { Beside } from '../../src/mcp-catalogue/beside.ts'
import type { Surface } from '../../src/mcp-catalogue/types.ts'
import type { ResultCache } from '../cache/cache.ts'
import { beginWork } from '../deadline.ts'
import type { Invocation } from '../declare.ts'
import type { ChosenGuide } from '../guide/find.ts'
import { lintCached } from './cached.ts'
import { nameFrom } from './names.ts'
import type { LintCommandOptions } from './options.ts'
import { type Linted, lintTarget } from './outcome.ts'
import { hasOverlays, overlaysOf, warnOfUnmatched } from '../project-file/overlays.ts'
import { placeFindings } from './overlaid.ts'
import { boundTo, expandTargets, overlaidTarget, readTarget, type SkippedFile } from './targets.ts'

/** What is known beside a document; null where nothing is. */
type LookBeside = (document: Document) => Beside | null

const isSurface = ({ format }: Document): boolean => format?.kind === 'mcp' && format.version === 'manifest'

/**
 * Reads the surface of `--approved`.
 * @param approved the document of that file
 * @returns for a document that is a surface too, how it differs from the approved one; null for other documents
 * @throws SvcError `manifest-invalid` where it is not a surface
 */
async function lookBesideApproved(approved: Document): Promise<LookBeside> {
  const [{ lookBeside }, { readUpload }] = await Promise.all([
    import('../../src/mcp-catalogue/look-beside.ts'),
    import('../../src/mcp-catalogue/observe.ts'),
  ])
  const surfaceOf = ({ text, source }: Document): Surface => {
    try {
      return readUpload(text).surface
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'manifest-invalid') throw error
      const detail = error.detail as Detail<'manifest-invalid'>
      throw new SvcError('manifest-invalid', { ...detail, reason: `${source}: ${detail.reason}` })
    }
  }
  const surface = surfaceOf(approved)
  return (document) => (isSurface(document) ? lookBeside(surfaceOf(document), surface) : null)
}

export type LintInvocation = Invocation<{ readonly files: readonly string[] }, LintCommandOptions>

/** What linting files uses of an invocation, whatever its command is. */
export type LintRun = Invocation<unknown, LintCommandOptions>

/** All documents with their findings, and what was fixed in them. */
export interface LintedFiles {
  readonly all: readonly Linted[]
  readonly fixed: readonly Finding[]
  /** The fixes as `diff -u` prints them, one text for each changed file. */
  readonly diffs: readonly string[]
  /** Files of folders that may be documents and cannot be read. */
  readonly skipped: readonly SkippedFile[]
}

/** @throws SvcError `usage` for options that need one another */
export function assertSensible(files: readonly string[], options: LintCommandOptions): void {
  if (files.filter((it) => it === '-').length > 1)
    throw new SvcError('usage', { reason: 'Standard input can be read only once: give "-" once' })
  if (options['stdin-filepath'] !== undefined && !files.includes('-'))
    throw new SvcError('usage', { reason: '--stdin-filepath names the document of standard input: also give "-"' })
  if (options.fix && files.includes('-'))
    throw new SvcError('usage', { reason: '--fix cannot be used with standard input' })
  for (const name of ['dry-run', 'fix-non-breaking', 'fix-removals'] as const)
    if (options[name] && !options.fix) throw new SvcError('usage', { reason: `--${name} requires --fix` })
  if (options['fix-overlay'] !== undefined && (!options.fix || options['dry-run']))
    throw new SvcError('usage', { reason: '--fix-overlay requires --fix, and excludes --dry-run' })
}

/** The files that others of the run refer to: what is not used in such a file may be used there. */
async function usedByOthers(files: readonly string[], invocation: LintRun): Promise<ReadonlySet<string>> {
  const used = new Set<string>()
  for (const file of files.length > 1 ? files : []) {
    const { document, documents } = await readTarget(file, invocation, invocation.options['stdin-filepath'])
    const own = resolve(invocation.cwd, document.source)
    for (const { source } of Object.values(documents)) {
      const other = resolve(invocation.cwd, source)
      if (other !== own) used.add(other)
    }
  }
  return used
}

// The same finding has the same fingerprint however its file is named on the command line.
const named = (linted: Linted, nameOf: (source: string) => string): Linted => ({
  ...linted,
  findings: linted.findings.map((it) => ({ ...it, fingerprint: fingerprintIn(nameOf(it.source), it.fingerprint) })),
})

/**
 * Reads and lints the files that the names match, after fixing them with --fix.
 * @throws SvcError as `expandTargets`, `readTarget` and `fixTarget` do
 */
export async function lintFiles(
  names: readonly string[],
  guide: ChosenGuide,
  invocation: LintRun,
  cache: ResultCache | null = null,
): Promise<LintedFiles> {
  const { options, cwd } = invocation
  const all: Linted[] = []
  const fixed: Finding[] = []
  const diffs: string[] = []
  const expanded = await expandTargets(names, invocation, cache)
  const { files, skipped } = expanded
  if (options['fix-overlay'] !== undefined && files.length !== 1)
    throw new SvcError('usage', { reason: `--fix-overlay is for one document, and these are ${files.length}` })
  const nameOf = nameFrom('.', cwd)
  const isOverlaying = options['project-file'] && (await hasOverlays(cwd))
  const beside =
    options.approved === undefined
      ? null
      : await lookBesideApproved((await readTarget(options.approved, invocation)).document)
  /** The rules for a file and how they are applied, with and without the cache. */
  const applied = (file: string) => {
    const { rulesFor, chosen, options: own, name, digest = null } = guide.guideOf?.(file) ?? guide
    const how = { chosen, name, knowsTypes: true, ...(own === undefined ? {} : { guide: own }) }
    return { ruleset: rulesFor(file), how, digest }
  }
  const fromCache = async (file: string): Promise<Linted | null> => {
    if (cache === null || options.fix || beside !== null) return null
    const { ruleset, how, digest } = applied(file)
    const { globals } = boundTo(invocation, expanded, file)
    const overlays = isOverlaying ? await overlaysOf(file, invocation) : []
    const around = {
      cwd,
      globals,
      overlays,
      warn: (it: { readonly unmatched: readonly string[] }) => warnOfUnmatched(it, invocation),
    }
    const linted = await lintCached(file, ruleset, { ...how, ...around, cache, guideDigest: digest })
    return linted === null ? null : named(linted, nameOf)
  }
  const used = options['fix-removals'] ? await usedByOthers(files, invocation) : null
  const fixing = {
    cwd,
    write: !options['dry-run'],
    overlay: options['fix-overlay'] ?? null,
    suppresses: !options['ignore-suppressions'],
    visibleIn: (source: string): ReadonlySet<VisibleFix> =>
      new Set([
        ...(options['fix-non-breaking'] ? ['non-breaking' as const] : []),
        ...(used !== null && !used.has(resolve(cwd, source)) ? ['removals' as const] : []),
      ]),
  }
  for (const file of files) {
    beginWork(`The work on ${file === '-' ? 'standard input' : file}`)
    const known = await fromCache(file)
    if (known !== null) {
      all.push(known)
      continue
    }
    const stdinName = options['stdin-filepath']
    const target = await readTarget(file, boundTo(invocation, expanded, file), stdinName)
    const { ruleset, how } = applied(file === '-' ? (stdinName ?? file) : file)
    const done = options.fix ? await (await import('./fix.ts')).fixTarget(target, ruleset, fixing) : null
    if (done !== null) {
      fixed.push(...done.findings)
      diffs.push(done.diff)
    }
    const written = done?.target ?? target
    const meant = options['project-file'] ? await overlaidTarget(written, invocation) : written
    all.push(
      named(
        placeFindings(await lintTarget(meant, ruleset, { ...how, beside: beside?.(meant.document) ?? null })),
        nameOf,
      ),
    )
  }
  return { all, fixed, diffs, skipped }
}
