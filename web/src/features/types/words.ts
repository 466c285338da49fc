import { type PrimitiveRecord, type PrimitiveScope, primitiveScopes } from '../../../../src/api/primitive-shapes.ts'
import type { Tone } from '../../parts/badge.tsx'

/** What the scopes are called, in the order of the registry: an organization's own types come first. */
export const scopeNames: Readonly<Record<PrimitiveScope, string>> = {
  custom: 'Custom',
  tenant: 'Imported',
  core: 'Core',
  standard: 'Standard',
}
export const scopes = Object.keys(scopeNames) as readonly PrimitiveScope[]

const explained: Readonly<Record<PrimitiveScope, string>> = {
  custom: 'Created by hand in this organization.',
  tenant: 'Imported into this organization.',
  core: 'A basic type included in svc.',
  standard: 'A type of a public standard, included in svc.',
}

/** Where a type of this scope comes from, as a sentence. */
export const explainScope = (scope: PrimitiveScope): string => explained[scope]

/** The scope that a word of an address names; null for any other word. */
export const readScope = (text: string | undefined): PrimitiveScope | null =>
  primitiveScopes.find((it) => it === text) ?? null

export const scopeTones: Readonly<Record<PrimitiveScope, Tone>> = {
  custom: 'accent',
  tenant: 'info',
  core: 'plain',
  standard: 'plain',
}

/** Types that come with svc cannot be changed. */
export const isBuiltin = ({ scope }: Pick<PrimitiveRecord, 'scope'>): boolean =>
  scope === 'core' || scope === 'standard'

/** The reference to one revision. */
export const pinnedRef = ({ ref }: Pick<PrimitiveRecord, 'ref'>, revision: number): string => `${ref}@${revision}`

/** The address at which the schema of a type is read without a client of svc. */
export const typeUrl = (origin: string, tenant: string, { ref }: Pick<PrimitiveRecord, 'ref'>): string =>
  `${origin}/v1/types/${tenant}/${ref.slice('svc:'.length)}`

/** References of a type that find nothing. */
export const missingRefs = ({ refs }: Pick<PrimitiveRecord, 'refs'>): PrimitiveRecord['refs'] =>
  refs.filter((it) => !it.resolved)

/** Tags as one line of text. */
export const writeTags = (tags: readonly string[]): string => tags.join(', ')

/** The tags of a line of text, separated by commas, each once. */
export const readTags = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((it) => it.trim())
      .filter((it) => it !== ''),
  ),
]
