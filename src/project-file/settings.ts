/** The settings of an API, put together from what is said for all APIs, for one, and by a profile. */
import type { ChangeSeverity } from '../diff/change.ts'
import type { Ignored } from '../diff/options.ts'
import type { ProfileName } from '../diff/profile.ts'
import type { Position } from '../document/position.ts'
import type { Severity } from '../lint/finding.ts'
import type { GradeLetter } from '../lint/grade.ts'
import type { CompareWith } from './compare-with.ts'

/** Severities of rules for some files. */
export interface RuleOverride {
  /** Globs relative to the folder of the file, each with a JSON Pointer behind "#" where one place is meant; "**" for all. */
  readonly files: readonly string[]
  /** `true` turns a rule on with the severity that it has. */
  readonly rules: Readonly<Record<string, Severity | 'off' | true>>
  /** Where each of them is written. */
  readonly at: Readonly<Record<string, Position>>
}

/** How the changes of an API are evaluated. */
export interface Comparing {
  /** A file as svc-diff.yaml; null where none is named. */
  readonly config: string | null
  readonly failOn: ChangeSeverity | 'none'
  /** Null where it is not set. */
  readonly profile: ProfileName | null
  readonly severity: Readonly<Record<string, ChangeSeverity>>
  readonly ignore: readonly Ignored[]
  readonly allowUnknown: boolean
}

/** What holds for an API, or for a file that belongs to none. Paths are as they are written until the file is placed. */
export interface ProjectSettings {
  /** Null where none is named. */
  readonly guide: string | null
  /** The later take precedence. */
  readonly overrides: readonly RuleOverride[]
  readonly ignore: readonly string[]
  /** Rules and rulesets that may be skipped where they cannot be used. */
  readonly allowSkipped: readonly string[]
  readonly failOn: Severity | 'none'
  readonly minGrade: GradeLetter | null
  readonly baseline: string | null
  readonly waivers: string | null
  readonly compareWith: CompareWith | null
  readonly diff: Comparing
}

/** An overlay that an API names, and where it does. */
export interface OverlayFile {
  readonly path: string
  readonly at: Position
}

/** One API of the repository. */
export interface ProjectApi extends ProjectSettings {
  readonly name: string
  /** Its document. */
  readonly root: string
  /** Where that is written. */
  readonly rootAt: Position
  /** Globs of more files with its settings. */
  readonly files: readonly string[]
  /** The project (slug or id) that it is on the service. */
  readonly project: string | null
  /** Applied to the root in this order. */
  readonly overlays: readonly OverlayFile[]
}

/** What a `svc.yaml` says, with one of its profiles applied. */
export interface ProjectModel {
  /** Null where none was applied. */
  readonly profile: string | null
  readonly profiles: readonly string[]
  readonly defaults: ProjectSettings
  /** In the order of the file. */
  readonly apis: readonly ProjectApi[]
}
