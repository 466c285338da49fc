/** What work that is limited to some projects reads: rows of those projects, of every table that names a project or a version. */
import { expect, test } from 'bun:test'
import { eq, getTableColumns, getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { inTenant, type TenantTable } from '../../db/conditions.ts'
import type { Database } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { beyondLimits, limitOfProjects, withinProjects } from '../../db/limits.ts'
import * as declared from '../../db/tables.gen.ts'
import { addTenant } from '../fixtures/accounts.ts'
import { onBothEngines } from '../fixtures/engines.ts'

const { projects, consumers, changeReportTemplates, notifications, tenants } = declared

const tables = Object.values(declared as Record<string, unknown>).filter(
  (it): it is TenantTable => is(it, PgTable) && 'tenantId' in it,
)

test('the tables that no project limits are listed here: what guests may read of each was looked at', () => {
  const free = tables.filter((table) => {
    const names = Object.keys(getTableColumns(table))
    return getTableName(table) !== 'projects' && !names.includes('projectId') && !names.includes('versionId')
  })
  expect(free.map((table) => getTableName(table)).toSorted()).toEqual([
    'account_authorizations',
    'agent_keys',
    'api_keys',
    'audit_events',
    'bin_parts',
    'content_parts',
    'contents',
    'deletions',
    'due_work',
    'embedding_types',
    'embedding_vectors',
    'environments',
    'evidence_keys',
    'gateway_enforcers',
    'gateway_event_ids',
    'gateway_lanes',
    'gateway_release_targets',
    'gateway_seen',
    'hook_entries',
    'hook_events',
    'hook_policies',
    'import_items',
    'import_upload_parts',
    'import_uploads',
    'invitations',
    'jobs',
    'licenses',
    'linked_accounts',
    'mcp_approvals',
    'mcp_capabilities',
    'mcp_endpoints',
    'mcp_keys',
    'mcp_manifests',
    'mcp_observations',
    'mcp_registries',
    'memberships',
    'notification_targets',
    'object_removals',
    'outbox_events',
    'policy_packs',
    'polling_quotas',
    'primitive_edges',
    'primitive_imports',
    'primitive_registries',
    'primitive_revisions',
    'primitives',
    'project_view_defaults',
    'project_views',
    'pull_request_reports',
    'renderings',
    'repositories',
    'repository_branches',
    'repository_file_policies',
    'repository_hooks',
    'repository_notices',
    'repository_polls',
    'repository_specs',
    'role_matches',
    'role_rules',
    'scim_groups',
    'scim_members',
    'scim_tokens',
    'scim_users',
    'secrets',
    'security_approvals',
    'security_counts',
    'security_events',
    'security_policies',
    'style_guide_defaults',
    'style_guides',
    'sync_candidates',
    'team_members',
    'teams',
    'trust_tokens',
    'trusts',
    'webhook_attempts',
    'webhook_deliveries',
    'webhook_subscriptions',
  ])
})

onBothEngines('limits', (makeDb) => {
  const at = new Date(0).toISOString()
  const setUp = async () => {
    const db = await makeDb()
    const tenantId = await addTenant(db, 'acme')
    const [shop, bank] = [newId(), newId()]
    await db.inTransaction(async (tx) => {
      for (const [id, slug] of [
        [shop, 'shop'],
        [bank, 'bank'],
      ] as const) {
        await tx.insert(projects).values({ id, tenantId, slug, name: slug, createdAt: at, updatedAt: at })
        await tx.insert(changeReportTemplates).values({
          id: newId(),
          tenantId,
          projectId: id,
          name: slug,
          isDefault: false,
          version: 1,
          header: '',
          body: slug,
          footnote: '',
          createdAt: at,
        })
      }
    })
    return { db, tenantId, shop, bank }
  }
  const slugsIn = async (db: Database, tenantId: string): Promise<string[]> => {
    const rows = await db.read.select({ slug: projects.slug }).from(projects).where(inTenant(projects, tenantId))
    return rows.map(({ slug }) => slug).toSorted()
  }

  test('limited work sees its projects, what it begins does too, and what is beyond its limits sees all', async () => {
    const { db, tenantId, shop } = await setUp()
    expect(await slugsIn(db, tenantId)).toEqual(['bank', 'shop'])
    await withinProjects(sql`(${shop})`, async () => {
      expect(await slugsIn(db, tenantId)).toEqual(['shop'])
      await Promise.resolve()
      expect(await db.read.$count(projects, inTenant(projects, tenantId))).toBe(1)
      expect(await beyondLimits(() => slugsIn(db, tenantId))).toEqual(['bank', 'shop'])
      // Nothing is changed that is not seen.
      await db.inTransaction((tx) => tx.update(projects).set({ name: 'mine' }).where(inTenant(projects, tenantId)))
    })
    expect(limitOfProjects()).toBeNull()
    const names = await db.read.select({ name: projects.name }).from(projects).where(eq(projects.tenantId, tenantId))
    expect(names.map(({ name }) => name).toSorted()).toEqual(['bank', 'mine'])
    expect(await db.read.$count(tenants)).toBe(1)
  })

  test('every limited table is read without a fault, and gives nothing where no project is seen', async () => {
    const { db, tenantId } = await setUp()
    const counts = await withinProjects(sql`(select ${projects.id} from ${projects} where false)`, () =>
      Promise.all(
        tables.map(
          async (table) => [getTableName(table), await db.read.$count(table, inTenant(table, tenantId))] as const,
        ),
      ),
    )
    const seen = counts.filter(([, n]) => n > 0).map(([name]) => name)
    expect(seen).toEqual(['licenses'])
    expect(counts.find(([name]) => name === getTableName(notifications))).toEqual(['notifications', 0])
    expect(counts.find(([name]) => name === getTableName(consumers))).toEqual(['consumers', 0])
  })
})
