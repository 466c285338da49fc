import { inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { agentKeys, apiKeys, trusts } from '../../db/tables.gen.ts'
import { inParts, personIn } from './people.ts'

const keysOf = (actors: readonly string[], kind: 'api-key' | 'agent-key'): string[] =>
  actors.filter((it) => it.startsWith(`${kind}:`)).map((it) => it.slice(kind.length + 1))

/**
 * The people behind what was done: those who did it, and who created the key that did it. No one approves what they are behind: this is
 * the one rule of reviews, gateway policies and MCP servers (docs/guides/security.md).
 * @param actors as `created_by` and the like keep them: "user:ID", or the kind and id of a key; there is no person behind a key that is gone
 */
export async function peopleBehind(
  read: Reader,
  tenantId: string,
  actors: Iterable<string | null>,
): Promise<ReadonlySet<string>> {
  const known = [...new Set(actors)].filter((it) => it !== null)
  const people = new Set(known.flatMap((it) => personIn(it) ?? []))
  const add = (rows: readonly { readonly createdBy: string | null }[]): void => {
    for (const { createdBy } of rows) if (createdBy !== null) people.add(createdBy)
  }
  for (const part of inParts(keysOf(known, 'api-key'))) {
    add(
      await read
        .select()
        .from(apiKeys)
        .where(inTenant(apiKeys, tenantId, inArray(apiKeys.id, part))),
    )
    // A pipeline acts as its trust.
    add(
      await read
        .select()
        .from(trusts)
        .where(inTenant(trusts, tenantId, inArray(trusts.id, part))),
    )
  }
  for (const part of inParts(keysOf(known, 'agent-key')))
    add(
      await read
        .select()
        .from(agentKeys)
        .where(inTenant(agentKeys, tenantId, inArray(agentKeys.id, part))),
    )
  return people
}

/**
 * All names under which the people behind an actor act: they themselves, and the keys that they created. Bounds that hold for one person
 * count all of them.
 */
export async function namesBehind(read: Reader, tenantId: string, actor: string | null): Promise<readonly string[]> {
  const people = [...(await peopleBehind(read, tenantId, [actor]))]
  if (people.length === 0) return actor === null ? [] : [actor]
  const keys = await read
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(inTenant(apiKeys, tenantId, inArray(apiKeys.createdBy, people)))
  const agents = await read
    .select({ id: agentKeys.id })
    .from(agentKeys)
    .where(inTenant(agentKeys, tenantId, inArray(agentKeys.createdBy, people)))
  const pipelines = await read
    .select({ id: trusts.id })
    .from(trusts)
    .where(inTenant(trusts, tenantId, inArray(trusts.createdBy, people)))
  return [
    ...people.map((id) => `user:${id}`),
    ...[...keys, ...pipelines].map(({ id }) => `api-key:${id}`),
    ...agents.map(({ id }) => `agent-key:${id}`),
  ]
}
