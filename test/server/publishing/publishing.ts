/** A project whose versions tests publish. */
import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { tenants } from '../../../db/tables.gen.ts'
import { keyPermissions } from '../../../src/api/permissions.ts'
import { openPetsProject, petsYaml } from '../../fixtures/pets-project.ts'

/** Paths with one operation, whose parameter is required or not. */
export const pet = (required: boolean) =>
  `{ /pets: { get: { operationId: list, parameters: [{ name: kind, in: query, required: ${required}, schema: { type: string } }], responses: { '200': { description: ok } } } } }`

export type Publishing = Awaited<ReturnType<typeof openPublishing>>

export async function openPublishing(db: Database) {
  const it = await openPetsProject(db)
  /** The owner of the workspace, as services see the caller. */
  const grantOfOwner = async () => {
    const [tenant] = await db.read.select().from(tenants).where(eq(tenants.id, it.tenantId))
    return {
      principal: { kind: 'user' as const, userId: it.ownerId, via: 'local' as const },
      tenant: { id: it.tenantId, slug: tenant?.slug ?? '', name: '', plan: null },
      role: null,
      permissions: keyPermissions,
    }
  }
  const draft = (label: string, paths = '{}') =>
    it.send('POST', '', { label, content: petsYaml(label, paths), visibility: 'private' })
  /** Makes a version and publishes it. */
  const publish = async (label: string, paths?: string): Promise<void> => {
    await draft(label, paths)
    const answer = await it.brief('POST', `/${label}/publish`)
    if (answer !== '200') throw new Error(`publishing ${label} answered ${answer}`)
  }
  return { it, db, grantOfOwner, draft, publish }
}
