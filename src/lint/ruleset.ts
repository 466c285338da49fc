import type { Problem } from '../document/document.ts'
import { fitsGlob } from '../regex/glob.ts'
import type { Rule, Ruleset, SeverityOverride } from './rule.ts'
import type { Severity } from './finding.ts'

/** A rule with whether it applies: a ruleset keeps those that are off, so that others can turn them on. */
export interface RuleEntry {
  readonly rule: Rule
  readonly enabled: boolean
  /** It was turned off by its severity: what wakes it for a place wakes it there only. */
  readonly isMuted?: boolean
}

/** A severity that a ruleset sets below a pointer of some files. */
export interface PointerOverride {
  readonly glob: string
  readonly pointer: string
  readonly rule: string
  readonly severity: Severity | 'off'
}

/** What a ruleset says beside its rules. */
export interface GuideOptions {
  /** The formats that it and its rules name; documents of other formats are reported as unknown. */
  readonly formats: readonly string[]
  readonly duplicateKeys: Severity | 'off'
  /** YAML keys that are not strings: `200:` without quotes. */
  readonly incompatibleValues: Severity | 'off'
  /** References are looked for in examples and extensions too, and circular references are allowed, as in Spectral. */
  readonly checksEveryReference: boolean
}

/** Of our own guides: what can be read is nothing to complain of. */
export const defaultGuideOptions: GuideOptions = {
  formats: [],
  duplicateKeys: 'error',
  incompatibleValues: 'off',
  checksEveryReference: false,
}

/** Of rulesets that say nothing of it, as Spectral has it. */
export const spectralOptions: GuideOptions = {
  formats: [],
  duplicateKeys: 'error',
  incompatibleValues: 'error',
  checksEveryReference: true,
}

/** The same of a builtin ruleset, by its name. */
export const optionsOfBuiltin = (name: string): GuideOptions =>
  name.startsWith('svc:') ? defaultGuideOptions : spectralOptions

/** A ruleset as it was read. */
export interface Guide {
  /** The file or address of it: globs of its overrides are meant from there. */
  readonly source: string
  readonly options: GuideOptions
  readonly entries: ReadonlyMap<string, RuleEntry>
  readonly pointerOverrides: readonly PointerOverride[]
  /** The rules of this guide for a file, where `overrides` say something of it. */
  readonly forFile: (name: string) => ReadonlyMap<string, RuleEntry>
}

/** What may be wrong with a ruleset, with its place in the ruleset's text. */
export interface GuideProblem extends Problem {
  /** The ruleset that holds the place. */
  readonly source: string
}

/**
 * The name of a file seen from the folder of a ruleset, as the globs of the ruleset mean it. Both are named from the same
 * place, or from the root; what cannot be seen from there keeps its name.
 */
export function relativeName(ruleset: string, file: string): string {
  const clean = (name: string): string => name.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
  const plain = clean(file)
  const steps = clean(ruleset).split('/').slice(0, -1)
  const names = plain.split('/')
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(plain) || (steps[0] === '') !== (names[0] === '')) return plain
  let same = 0
  while (same < steps.length && same < names.length - 1 && steps[same] === names[same]) same++
  return [...steps.slice(same).map(() => '..'), ...names.slice(same)].join('/')
}

const selected = new WeakMap<ReadonlyMap<string, RuleEntry>, Ruleset>()

/** The rules of a guide that apply to a file: the same object for files of which nothing else is said. */
export function selectRules(guide: Guide, file: string): Ruleset {
  if (guide.pointerOverrides.length > 0) return rulesAt(guide, file)
  const entries = guide.forFile(file)
  let rules = selected.get(entries)
  if (rules === undefined) selected.set(entries, (rules = rulesAt(guide, file)))
  return rules
}

function rulesAt(guide: Guide, file: string): Ruleset {
  const rules: Record<string, Rule> = {}
  const name = relativeName(guide.source, file)
  const pointers = guide.pointerOverrides.filter((it) => fitsGlob(name, it.glob))
  for (const [id, { rule, enabled, isMuted }] of guide.forFile(file)) {
    const own: SeverityOverride[] = guide.pointerOverrides
      .filter((it) => it.rule === id)
      .map(({ glob, pointer, severity }) => ({
        pointer,
        severity,
        fits: (source) => fitsGlob(relativeName(guide.source, source), glob),
      }))
    const muted: SeverityOverride = { pointer: '', severity: 'off', fits: () => true }
    const overrides = isMuted === true && !enabled ? [muted, ...own] : own
    // A rule of which something is said for a place applies, whatever was said of it before.
    if (enabled || pointers.some((it) => it.rule === id))
      rules[id] = overrides.length === 0 ? rule : { ...rule, overrides }
  }
  return rules
}
