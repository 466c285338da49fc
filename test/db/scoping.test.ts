/**
 * Every query of a table whose rows belong to tenants says which tenant: this reads the sources of the layers above db
 * and finds top-level declarations that query such a table without `inTenant(table, …)` or a comparison of its tenant.
 */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as declared from '../../db/tables.gen.ts'

const root = join(import.meta.dir, '../..')

/** `file table` of queries that reach across tenants, each with the reason why that is right. */
const waivers: Readonly<Record<string, string>> = {
  'server/sign-in/authenticate.ts apiKeys': 'The hash of a key is what tells the tenant.',
  'server/sign-in/authenticate.ts agentKeys': 'The hash of a key is what tells the tenant.',
  'server/sign-in/authenticate.ts mcpKeys': 'The hash of a key is what tells the tenant.',
  'server/hooks/receive-app.ts linkedAccounts': 'The signature of the App says whose installation a delivery is about.',
  'server/providers/apps.ts linkedAccounts': 'The App is of the service; how many organizations use it is counted.',
  'server/linked-accounts/renew.ts linkedAccounts': 'The condition, built beside it, names the tenant of the row.',
  'server/providers/visits.ts accountAuthorizations':
    'The secret of a visit and the person who began it say whose it is; what has expired is removed for every tenant.',
  'server/members/invitations.ts invitations': 'The token of an invitation is what tells the tenant.',
  'server/documents/reader.ts documentReaders': 'What has expired is removed for every tenant.',
  'server/embeddings/index-versions.ts embeddingEntries': 'Looks for versions of every tenant without vectors.',
  'server/jobs/define.ts jobs': 'Lists the unfinished jobs of one kind, of every tenant; nothing of them is answered.',
  'server/documents/stored.ts versions': 'What is worth rendering ahead, of every tenant; nothing of them is answered.',
  'server/notifications/sweep.ts notifications': 'What is old is removed for every tenant.',
  'server/operations/backlog.ts dueWork': 'Counts what waits and fails of every tenant for the operator.',
  'server/operations/backlog.ts gatewayEnforcers': 'The same.',
  'server/operations/backlog.ts jobs': 'The same.',
  'server/operations/backlog.ts repositories': 'The same.',
  'server/operations/backlog.ts webhookDeliveries': 'The same.',
  'server/operations/backlog.ts webhookSubscriptions': 'The same.',
  'server/role-rules/directory.ts scimGroups': 'Joined to its members, which are of one tenant.',
  'server/role-rules/directory.ts scimUsers':
    'A proven address says who somebody is in any directory; each is settled in its own tenant.',
  'server/scim/groups.ts scimUsers': 'Joined to the members of a group of one tenant.',
  'server/scim/users.ts scimGroups': 'Joined to the members of one tenant.',
  'server/sign-in/authenticate.ts trustTokens': 'The token of a pipeline is what tells the tenant.',
  'server/sign-in/describe-caller.ts trusts': 'The token of the caller names its trust.',
  'server/sign-in/sweep.ts trustTokens': 'What has expired is removed for every tenant.',
  'server/outbox/read.ts outboxEvents': 'A reader works on the events of all tenants; each event names its tenant.',
  'server/outbox/sweep.ts outboxEvents': 'What is old is removed for every tenant.',
  'server/repositories/quota.ts repositoryPolls': 'sweepPolls: removes old rows of all organizations',
  'server/hooks/ranges.ts repositories':
    'Reads which hosts hooks come from, of all tenants; nothing of a row is answered.',
  'server/hooks/ranges.ts repositoryHooks': 'The same.',
  'server/hooks/receive.ts repositoryHooks': 'A delivery has only the token of its hook, which says whose it is.',
  'server/hooks/service.ts hookEvents': 'What is old is removed for every tenant.',
  'server/schedule/rows.ts dueWork': 'Does what is due for every tenant; nothing of it is answered.',
  'server/gateway-policy/audit.ts environments':
    'Verifies the audit trails of all tenants; what is wrong is for the operator.',
  'server/gateway-policy/audit.ts auditEvents': 'The same.',
  'server/home/activity.ts auditEvents': 'The condition, made by trailOf, names the tenant.',
  'server/vault/vault.ts secrets':
    'Checks and encrypts the secrets of all tenants; what is read for a tenant is in its scope.',
  'server/webhooks/claim.ts webhookDeliveries': 'Looks for what is due, of every tenant.',
  'server/gateway/release-notifier.ts gatewayReleaseStates':
    'Reads which release is the newest for all gateways that wait; each was found by its own key.',
  'server/gateway-policy/retention.ts gatewayEventIds': 'What is old is removed for every tenant.',
  'server/gateway-policy/retention.ts gatewaySeen': 'What is old is removed for every tenant.',
  'server/gateway-policy/retention.ts securityCounts': 'What is old is removed for every tenant.',
  'server/gateway/newer-compiler.ts gatewayReleaseStates':
    'Looks for releases of an older compiler of every tenant; each is asked for in its own.',
  'server/gateway/silent.ts environments': 'Looks for silent gateways of every tenant, each reported in its own.',
  'server/mcp-servers/metrics.ts mcpEndpoints': 'Counts the servers of every tenant for the operator.',
  'server/mcp-servers/sweep.ts mcpObservations': 'What is old is removed for every tenant.',
  'server/webhooks/sweep.ts webhookDeliveries': 'What is old is removed for every tenant.',
  'server/embeddings/index-types.ts embeddingTypes': 'What is not indexed is looked for beside rows of types.',
  'server/primitives/health.ts primitives': 'Reads whether there is a table; nothing of a row is answered.',
  'server/primitives/import.ts primitiveImports': 'What has expired is removed for every tenant.',
  'server/specs/types.ts primitives': 'The scope of the caller, public or its own, is built beside it.',
  'server/projects/views.ts projectViews': 'The condition, built beside it, names the tenant of the row.',
  'server/auth/project-roles.ts projectGrants': 'Joined to a project of one tenant.',
  'server/deletion/remove.ts deletions': 'Reads a deletion by its id; the row names the organization.',
  'server/specs/reindex.ts versions': 'Counts what is not indexed of all tenants, for the operator.',
  'server/specs/search.ts versions': 'The scope of the caller, public or its own, is built beside it.',
}

const tenantTables = Object.entries(declared as Record<string, unknown>)
  .filter(([, value]) => is(value, PgTable) && 'tenantId' in value)
  .map(([name]) => name)

/** The tables that a source text queries without naming a tenant. */
export function findUnscoped(text: string, tables: readonly string[]): string[] {
  const declarations = text.split(/\n(?=(?:export |async |function |const |class |\/\*\*))/)
  const found = declarations.flatMap((part) =>
    [
      ...part.matchAll(/\.(?:from|update|delete|innerJoin|leftJoin|rightJoin|fullJoin|\$count)\(\s*(\w+)\b/g),
      ...part.matchAll(/\bremoveWhere\(\s*[\w.]+,\s*(\w+)\b/g),
      ...part.matchAll(/\breadPage\(\s*[\w.]+,\s*(\w+)\b/g),
    ]
      .map(([, name = '']) => name)
      .filter((name) => tables.includes(name))
      .filter((name) => !new RegExp(`inTenant\\(\\s*${name}\\b|\\b${name}\\.tenantId\\b`).test(part)),
  )
  return [...new Set(found)]
}

test('the reading of sources finds what it is for', () => {
  const source = `
export async function good(read: Reader, tenantId: string) {
  const where = inTenant(projects, tenantId, eq(projects.id, id))
  return read.select().from(projects).where(where)
}
async function bad(read: Reader) {
  return read.select().from(projects).where(eq(projects.id, id))
}
const alsoBad = (tx: Transaction) => tx
  .delete(
    versions)
  .where(eq(versions.id, id))
export const paged = () => readPage(deps.db.read, threads, { where: eq(threads.status, 'open'), order: [], page })
export const removed = () => removeWhere(deps.db, reviews, lt(reviews.at, before))
export const joined = () => read.select().from(users).innerJoin(memberships, eq(memberships.tenantId, tenant))
`
  expect(findUnscoped(source, ['projects', 'versions', 'memberships', 'threads', 'reviews'])).toEqual([
    'projects',
    'versions',
    'threads',
    'reviews',
  ])
})

test('no query of a tenant table reaches across tenants, but for those waived with a reason', async () => {
  const found: string[] = []
  for (const layer of ['server', 'mcp', 'cli', 'commands'])
    for await (const file of new Bun.Glob(`${layer}/**/*.ts`).scan(root)) {
      const path = file.replaceAll('\\', '/')
      for (const table of findUnscoped(await Bun.file(join(root, path)).text(), tenantTables))
        found.push(`${path} ${table}`)
    }
  expect(found.toSorted()).toEqual(Object.keys(waivers).toSorted())
})
