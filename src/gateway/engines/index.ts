/** Every kind of gateway that policies are compiled for, as people choose among them. */
import type { Dialect } from '../dialects/dialect.ts'
import type { DialectName } from '../dialects/index.ts'
import { caddy } from './caddy.ts'
import type { Engine } from './engine.ts'
import { exported } from './export.ts'
import { nginx } from './nginx.ts'
import { spoa } from './spoa.ts'
import { wasm } from './wasm.ts'

const known = [caddy, spoa, wasm, nginx, exported] as const

/** How API and database name engines. */
export type EngineKind = (typeof known)[number]['kind']
/** How the agent names them. */
export type EngineName = (typeof known)[number]['name']

export const engines: readonly Engine<EngineKind, EngineName>[] = known
/** The one that is proposed where people choose. */
export const usualEngine: Engine<EngineKind, EngineName> = caddy
export const engineKinds: readonly EngineKind[] = known.map(({ kind }) => kind)
/** Those whose agent can ask which release is in use come first. */
export const engineNames: readonly EngineName[] = known
  .toSorted((a, b) => Number(b.probes) - Number(a.probes))
  .map(({ name }) => name)

function found<T>(engine: T | undefined, name: string): T {
  if (engine === undefined) throw new RangeError(name)
  return engine
}

/** @throws RangeError for a name that no engine has */
export const engineOfKind = (kind: EngineKind): Engine<EngineKind, EngineName> =>
  found(
    engines.find((it) => it.kind === kind),
    kind,
  )

/** @throws RangeError for a name that no engine has */
export const engineNamed = (name: EngineName): Engine<EngineKind, EngineName> =>
  found(
    engines.find((it) => it.name === name),
    name,
  )

/** What gateways of this kind read. */
export const dialectOfKind = (kind: EngineKind): Dialect<DialectName> => engineOfKind(kind).dialect
