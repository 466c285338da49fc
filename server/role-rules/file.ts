/** Rules of the operator: a file of the machine, for any organization. */
import { readFileSync, statSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { groupsClaim } from '../../src/api/role-rules.ts'
import { roles } from '../../src/api/permissions.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { shapeProblems } from '../../src/kernel/shape-problems.ts'
import { bodyOf, oneOf } from '../../src/kernel/shapes.ts'
import { hashSecret } from '../auth/door.ts'
import type { Rule } from './evaluate.ts'

const slug = Type.String({ minLength: 1, maxLength: 100 })
const value = Type.String({ minLength: 1, maxLength: 500 })
const RulesFile = bodyOf({
  rules: Type.Array(
    bodyOf({
      organization: slug,
      value,
      role: oneOf(roles),
      claim: Type.Optional(value),
      issuer: Type.Optional(value),
      allow_owner: Type.Optional(Type.Boolean()),
    }),
    { maxItems: 5000 },
  ),
})

/** A rule of the file: of an organization by its slug, for an issuer. */
export interface FileRule extends Rule {
  readonly organization: string
  readonly issuer: string
}

type FileEntry = Static<typeof RulesFile>['rules'][number]

/** The same rule has the same key, wherever in the file it is. */
const keyOf = (rule: FileEntry, issuer: string): string =>
  `file:${hashSecret(JSON.stringify([rule.organization, issuer, rule.claim ?? groupsClaim, rule.value, rule.role])).slice(0, 32)}`

function parseRules(path: string, content: string, issuer: string | null): FileRule[] {
  const document = parseDocument(content, { source: path })
  const [fault] = document.problems.filter((it) => it.severity === 'error')
  if (fault !== undefined) throw new Error(`line ${fault.range.start.line + 1}: ${fault.message}`)
  const [problem] = shapeProblems(RulesFile, document.value)
  if (problem !== undefined) {
    const { start } = document.locate(problem.path, { key: problem.isKey })
    throw new Error(`line ${start.line + 1}: ${problem.message}`)
  }
  return (document.value as unknown as Static<typeof RulesFile>).rules.map((rule, at) => {
    const named = rule.issuer ?? issuer
    if (named === null) throw new Error(`rule ${at + 1} names no issuer, and SVC_OIDC_ISSUER is not set`)
    if (rule.role === 'owner' && rule.allow_owner !== true)
      throw new Error(
        `rule ${at + 1} gives owner: whoever manages "${rule.value}" could then delete the organization. Add allow_owner: true if that is meant`,
      )
    const { claim = groupsClaim, allow_owner: _, ...given } = rule
    return { ...given, key: keyOf(rule, named), issuer: named, claim }
  })
}

const read = new Map<string, { readonly stamp: string; readonly rules: readonly FileRule[] }>()

/** The rules of a file that was good when the service started: while it cannot be used, the last good ones count. */
export function lastRules(path: string, issuer: string | null): readonly FileRule[] {
  try {
    return readRulesFile(path, issuer)
  } catch (error) {
    const known = read.get(path)
    if (known === undefined) throw error
    return known.rules
  }
}

/** What is wrong with a file of rules; null where nothing is. */
export function rulesProblem(path: string, issuer: string | null): string | null {
  try {
    readRulesFile(path, issuer)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * The rules of a file, read again when it changed.
 * @param issuer the configured identity provider, for rules that name none
 * @throws Error with the place of what is wrong
 */
function readRulesFile(path: string, issuer: string | null): readonly FileRule[] {
  try {
    const { mtimeMs, size, ino } = statSync(path)
    const stamp = `${mtimeMs} ${size} ${ino} ${issuer}`
    const known = read.get(path)
    if (known?.stamp === stamp) return known.rules
    const rules = parseRules(path, readFileSync(path, 'utf8'), issuer)
    read.set(path, { stamp, rules })
    return rules
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the rules of ${path} cannot be used: ${reason}`, { cause: error })
  }
}
