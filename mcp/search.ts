import { Type } from '@sinclair/typebox'
import { specsApi } from '../src/api/specs.ts'
import { argumentsOf, bounds, cursor, limit, maxTokens } from './fields.ts'
import { boundedPage, given, type BoundedPage } from './page.ts'
import type { ToolContext } from './tool.ts'

/** Arguments of both ways to search. */
export const searchInput = argumentsOf({
  q: Type.String({ minLength: 1, maxLength: 200 }),
  spec: Type.Optional(
    Type.String({ description: 'Where to search: organization, organization/project or organization/project/version' }),
  ),
  cursor,
  limit,
  max_tokens: maxTokens,
})

export const searchOutput = Type.Object({
  items: Type.Array(Type.Object({ spec: Type.String(), ref: Type.String() })),
  ...bounds,
})

interface SearchArguments {
  readonly q: string
  readonly spec?: string
  readonly cursor?: string
  readonly limit?: number
}

/** Searches by words or by embeddings; a page of results within the budget. */
export async function search(
  mode: 'words' | 'semantic',
  { q, spec, cursor, limit: most = 20 }: SearchArguments,
  { call, budgetBytes }: ToolContext,
): Promise<BoundedPage<{ spec: string; ref: string }> & { not_indexed?: number }> {
  let notIndexed = 0
  const ask = async (limit: number) => {
    const found = await call(specsApi.search, { query: { q, mode, limit, ...given({ spec, cursor }) } })
    notIndexed = found.not_indexed ?? 0
    return found
  }
  const page = await boundedPage(ask, { limit: most, budgetBytes: budgetBytes - 60 })
  return notIndexed > 0 ? { ...page, not_indexed: notIndexed } : page
}
