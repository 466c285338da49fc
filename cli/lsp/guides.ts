/** Which style guide and settings apply to which file, read once until a ruleset or `svc.yaml` changes. */
import { dirname, relative, resolve } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import type { Finding } from '../../src/lint/finding.ts'
import type { Ruleset } from '../../src/lint/rule.ts'
import { joinSuppressions, suppressFindings } from '../../src/lint/suppressions/suppress.ts'
import { isIgnored } from '../../src/project-file/apply-rules.ts'
import type { ProjectApi, ProjectSettings } from '../../src/project-file/settings.ts'
import type { Invocation } from '../declare.ts'
import { findGuide, type ChosenGuide } from '../guide/find.ts'
import { readAccepted, type Known } from '../lint/accept.ts'
import { newFindings } from '../lint/accepted.ts'
import type { LintCommandOptions } from '../lint/options.ts'
import type { Linted } from '../lint/outcome.ts'
import { knowsUnused } from '../../src/lint/suppressions/unused.ts'
import { applyWaivers } from '../lint/waivers.ts'
import { apiOf, findProjectFile, type ProjectFile } from '../project-file/find.ts'
import { guideOfApi, nameIn } from '../project-file/guide.ts'
import { isFile, type Key } from './store.ts'

export type Around = Pick<Invocation, 'cwd' | 'io' | 'env' | 'signal' | 'globals' | 'connection'>

/** What a `svc.yaml` says of a file. */
export interface InProject {
  readonly file: ProjectFile
  readonly settings: ProjectSettings
  /** Null for a file that belongs to no API. */
  readonly api: ProjectApi | null
}

/** By what a file is checked. */
export interface Applied {
  readonly guide: ChosenGuide
  readonly project: InProject | null
  readonly known: Known
}

/** By what a file is checked, or why that cannot be used. */
export type FoundGuide = Applied | { readonly refused: string }

export interface GuideChoice {
  /** The guide for every file; null where the one of its folder applies. */
  readonly name: string | null
  readonly runsFunctions: boolean
  /** The folder of what is not a file. */
  readonly folder: string
}

/** Finds guides by the folder of a file. */
export class Guides {
  readonly around: Around
  readonly #projects = new Map<string, Promise<ProjectFile | null>>()
  readonly #known = new Map<string, Promise<FoundGuide>>()
  choice: GuideChoice

  constructor(around: Around, choice: GuideChoice) {
    this.around = around
    this.choice = choice
  }

  async #inProject(key: Key, folder: string): Promise<InProject | null> {
    let found = this.#projects.get(folder)
    if (found === undefined) this.#projects.set(folder, (found = findProjectFile(folder)))
    const file = await found
    if (file === null) return null
    const api = isFile(key) ? apiOf(file, resolve(key)) : null
    return { file, api, settings: api ?? file.defaults }
  }

  async #read(key: Key, folder: string): Promise<Applied> {
    const { name, runsFunctions } = this.choice
    const project = await this.#inProject(key, folder)
    const cwd = project?.file.folder ?? folder
    const around = { ...this.around, cwd }
    const guide =
      name !== null || project === null
        ? await findGuide(
            name ?? undefined,
            { ...around, cwd: name === null ? folder : this.choice.folder },
            { runsFunctions, absolute: true },
          )
        : await guideOfApi(
            project.settings,
            { file: project.file, root: project.api?.root ?? resolve(key) },
            around,
            runsFunctions,
          )
    const { baseline, waivers } = project?.settings ?? { baseline: null, waivers: null }
    const options = { baseline: baseline ?? undefined, waivers: waivers ?? undefined } as LintCommandOptions
    return { guide, project, known: await readAccepted(options, cwd) }
  }

  /** What a file is checked by, as "svc lint" in its folder would choose it. */
  async of(key: Key): Promise<FoundGuide> {
    const folder = isFile(key) ? dirname(key) : this.choice.folder
    try {
      const project = await this.#inProject(key, folder)
      // The files of one API have one guide; others are looked after by folder.
      const id =
        project?.api === null || project === null ? `folder ${folder}` : `api ${project.file.path} ${project.api.name}`
      let found = this.#known.get(id)
      if (found === undefined) this.#known.set(id, (found = this.#read(key, folder)))
      return await found
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      return { refused: error.message }
    }
  }

  /** Reads every guide and `svc.yaml` again when it is asked for next. */
  forget(): void {
    this.#known.clear()
    this.#projects.clear()
  }
}

/**
 * What is left of the findings of a document under the suppressions in it, and the waivers, the baseline and `ignore` of its
 * `svc.yaml`.
 * @param unused "off" for findings of a part, from which no one can say what a suppression is for
 */
export function acceptedOf(
  linted: Pick<Linted, 'document' | 'findings' | 'suppressions' | 'matched'>,
  { project, known }: Pick<Applied, 'project' | 'known'>,
  ruleset: Ruleset,
  unused: 'warning' | 'off' = 'warning',
): readonly Finding[] {
  const rules = (): ReadonlySet<string> => new Set(['invalid-ref', 'unrecognized-format', ...Object.keys(ruleset)])
  const suppressed = suppressFindings(linted.findings, joinSuppressions([...linted.suppressions]), {
    unused,
    rules,
    isUnused: knowsUnused({ all: [linted], covers: () => false, placeOf: (source) => resolve('/', source) }),
  })
  if (project === null) return suppressed.findings
  const { file, settings } = project
  const nameOf = nameIn(file, file.folder)
  const kept = suppressed.findings.filter((it) => !isIgnored(settings.ignore, nameOf(it.source), it.pointer))
  const waived = waivedOf(kept, known, file.folder)
  return known.baseline === null ? waived : newFindings(waived, known.baseline)
}

// Waivers name files as a run in the folder of svc.yaml does.
function waivedOf(findings: readonly Finding[], { waivers }: Known, folder: string): readonly Finding[] {
  if (waivers.length === 0) return findings
  const called = (source: string): string => relative(folder, source).replaceAll('\\', '/')
  const named = findings.map((it) => ({ ...it, source: called(it.source) }))
  const today = new Date().toISOString().slice(0, 10)
  return applyWaivers(named, waivers, today, 'off').findings.map((it) => ({
    ...it,
    source: resolve(folder, it.source).replaceAll('\\', '/'),
  }))
}
