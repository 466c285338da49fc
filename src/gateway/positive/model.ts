/** What the checks of a document are made with, and what they report. */
import type { Operation } from '../../diff/model/api.ts'
import type { Path } from '../../kernel/json.ts'
import { pointerOf, type Side } from '../../diff/side.ts'
import type { Positive, PositiveCheck } from '../../gateway-policy/door.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { DialectName } from '../dialects/index.ts'
import type { NotEnforced, ReleaseFile, Route, Setting } from '../compile/model.ts'
import type { Alphabet } from '../pattern.ts'
import type { Rules } from './seclang.ts'

export interface PositiveInput {
  /** A parsed document of Swagger 2.0 or OpenAPI 3, with everything that it refers to. */
  readonly document: unknown
  readonly positive: Positive
  readonly dialect: Dialect<DialectName>
  /** What the paths of the environment begin with. */
  readonly basePaths: readonly string[]
  /** The first of the rule ids that may be used; 99999 is the last. */
  readonly firstId: number
  /** The folder of the schema files as the rules name it. */
  readonly schemaFolder: string
}

export interface CompiledPositive {
  /** Rules in SecLang; empty where nothing is checked. */
  readonly text: string
  readonly files: readonly ReleaseFile[]
  /** One for each check. */
  readonly checks: readonly Setting[]
  readonly notEnforced: readonly NotEnforced[]
  readonly operations: number
  /** Bodies that are checked against a schema. */
  readonly bodies: number
  readonly routes: readonly Route[]
}

/** What a check does: nothing, record, or refuse. */
export type Mode = 'off' | 'log' | 'block'

/** More losses than these are counted and not listed. */
const mostListed = 2000

/** Collects what is not enforced, each once. */
export class Losses {
  private readonly listed: NotEnforced[] = []
  private readonly seen = new Set<string>()
  private readonly counts = new Map<PositiveCheck, number>()

  add(check: PositiveCheck, path: Path, reason: string): void {
    const pointer = pointerOf(path)
    const key = `${check} ${pointer} ${reason}`
    if (this.seen.has(key)) return
    this.seen.add(key)
    this.counts.set(check, this.count(check) + 1)
    if (this.listed.length < mostListed) this.listed.push({ pointer, check, reason })
  }

  count(check: PositiveCheck): number {
    return this.counts.get(check) ?? 0
  }

  /** All of them in the order of the document; where there are very many, the last entry of a check counts the others. */
  list(): NotEnforced[] {
    const more = [...this.counts].flatMap(([check, count]): NotEnforced[] => {
      const unlisted = count - this.listed.filter((it) => it.check === check).length
      return unlisted === 0 ? [] : [{ pointer: '', check, reason: `${unlisted} more places are not enforced.` }]
    })
    return [...this.listed, ...more]
  }
}

/** What every part of the compilation works with. */
export interface Context {
  readonly side: Side
  readonly dialect: Dialect<DialectName>
  readonly alphabet: Alphabet
  readonly rules: Rules
  readonly losses: Losses
  readonly mode: (check: PositiveCheck) => Mode
}

/** An operation of the document with what its paths begin with. */
export interface Endpoint {
  readonly operation: Operation
  readonly prefixes: readonly string[]
  /** Whether other operations have the same paths and method, so that a request does not show which one is meant. */
  readonly shared: boolean
}
