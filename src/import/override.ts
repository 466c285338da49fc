import { SvcError } from '../errors.ts'

/** Where one document of a bulk import goes, in place of what the plan would choose. */
export interface Override {
  /** "new": a project of its own, whatever its slug; "existing": the project that has its slug, or the one of `projectId`. */
  readonly target: 'new' | 'existing'
  readonly projectId: string | null
  /** The version's label in place of the document's own. */
  readonly version: string | null
}

const labelEnd = /^[^@\s]{1,100}$/

/**
 * Reads the SPEC of an override (spec.md 4.15): `new`, `existing` or `existing:PROJECT_ID`, each optionally with `@VERSION`.
 * @throws SvcError `override-invalid`
 */
export const parseOverride = (key: string, spec: string): Override => {
  const refuse = (reason: string) => new SvcError('override-invalid', { key, reason })
  const at = spec.indexOf('@')
  const where = at === -1 ? spec : spec.slice(0, at)
  const version = at === -1 ? null : spec.slice(at + 1)
  if (version !== null && !labelEnd.test(version)) throw refuse(`invalid version "@${version}"`)
  if (where === 'new' || where === 'existing') return { target: where, projectId: null, version }
  if (where.startsWith('existing:')) {
    const projectId = where.slice('existing:'.length)
    if (projectId === '' || /\s/.test(projectId)) throw refuse('the project after "existing:" is missing')
    return { target: 'existing', projectId, version }
  }
  throw refuse(`"${where}" is not one of new, existing and existing:PROJECT_ID`)
}

/**
 * Splits KEY=SPEC as the command line writes it. A key may hold "=": the last one that is followed by a SPEC counts.
 * @throws SvcError `override-invalid`
 */
export const splitOverride = (text: string): readonly [key: string, spec: string] => {
  const found = /^(.+)=((?:new|existing)(?:[:@].*)?)$/s.exec(text)
  if (found?.[1] !== undefined && found[2] !== undefined) {
    parseOverride(found[1], found[2])
    return [found[1], found[2]]
  }
  const equals = text.indexOf('=')
  if (equals <= 0) throw new SvcError('override-invalid', { key: text, reason: 'it does not have the form KEY=VALUE' })
  const [key, spec] = [text.slice(0, equals), text.slice(equals + 1)]
  parseOverride(key, spec)
  return [key, spec]
}

/**
 * The overrides of a request, by key.
 * @throws SvcError `override-invalid`
 */
export const readImportOverrides = (overrides: Readonly<Record<string, string>>): ReadonlyMap<string, Override> =>
  new Map(Object.entries(overrides).map(([key, spec]) => [key, parseOverride(key, spec)]))
