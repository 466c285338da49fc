import { asc, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { repositories, repositoryFilePolicies } from '../../db/tables.gen.ts'
import { conflictPolicies, type ConflictPolicyToken } from '../../src/api/repository-shapes.ts'
import { gitPath } from '../../src/import/tree-path.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { readGitRef } from '../sources/door.ts'
import { findRepository, keyOf, type RepositoryRow } from './record.ts'

const longestPath = 1024

/** @throws SvcError `conflict-policy-unknown` */
function readPolicy(text: string): ConflictPolicyToken {
  const policy = conflictPolicies.find((one) => one === text)
  if (policy === undefined) throw new SvcError('conflict-policy-unknown', { policy: text.slice(0, 100) })
  return policy
}

/** @throws SvcError `file-key-invalid` */
function readFileKey(branch: string, path: string): void {
  const refuse = (reason: string): never => {
    throw new SvcError('file-key-invalid', { reason })
  }
  try {
    readGitRef(branch)
  } catch {
    refuse('the branch is not the name of a branch')
  }
  if (path.length > longestPath) refuse(`the path has more than ${longestPath} characters`)
  if (path === '' || gitPath(path) !== path) refuse('the path is not relative to the top of the repository')
}

async function show(reader: Reader, row: RepositoryRow) {
  const overrides = await reader
    .select()
    .from(repositoryFilePolicies)
    .where(inTenant(repositoryFilePolicies, row.tenantId, eq(repositoryFilePolicies.repositoryId, row.id)))
    .orderBy(asc(repositoryFilePolicies.branch), asc(repositoryFilePolicies.path))
  return {
    success: true,
    conflictPolicy: {
      policy: row.conflictPolicy,
      default: 'hold-for-review' as const,
      accepted: [...conflictPolicies],
      overrides: overrides.map((override) => ({
        branch: override.branch,
        path: override.path,
        policy: override.policy,
        updated_by: override.updatedBy,
        updated_at: override.updatedAt,
      })),
    },
  }
}

/** @throws SvcError `repository-not-found` */
export const getPolicy = async (deps: Deps, grant: Grant, id: string) =>
  show(deps.db.read, await findRepository(deps.db.read, tenantOf(grant).id, id))

/** @throws SvcError `repository-not-found`, `conflict-policy-unknown` */
export async function setPolicy(deps: Deps, grant: Grant, id: string, text: string) {
  const { id: tenantId } = tenantOf(grant)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const row = await findRepository(tx, tenantId, id)
    const policy = readPolicy(text)
    await tx
      .update(repositories)
      .set({ conflictPolicy: policy, updatedAt: at })
      .where(inTenant(repositories, tenantId, eq(repositories.id, id)))
    const { principal: actor } = grant
    await recordAudit(tx, { tenantId, actor, action: 'repository.policy-set', targetId: id, detail: { policy }, at })
    return show(tx, { ...row, conflictPolicy: policy })
  })
}

/**
 * Sets the policy of one file; null clears it.
 * @throws SvcError `repository-not-found`, `conflict-policy-unknown`, `file-key-invalid`
 */
export async function setFilePolicy(
  deps: Deps,
  grant: Grant,
  id: string,
  input: { readonly branch: string; readonly path: string; readonly policy?: string | null },
) {
  const { id: tenantId } = tenantOf(grant)
  const { branch, path } = input
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const row = await findRepository(tx, tenantId, id)
    readFileKey(branch, path)
    const policy = input.policy === null || input.policy === undefined ? null : readPolicy(input.policy)
    const key = keyOf(id, branch, path)
    if (policy === null)
      await tx
        .delete(repositoryFilePolicies)
        .where(inTenant(repositoryFilePolicies, tenantId, eq(repositoryFilePolicies.id, key)))
    else {
      const set = { policy, updatedBy: actorOf(grant), updatedAt: at }
      await tx
        .insert(repositoryFilePolicies)
        .values({ id: key, repositoryId: id, tenantId, branch, path, ...set })
        .onConflictDoUpdate({ target: repositoryFilePolicies.id, set })
    }
    const { principal: actor } = grant
    const detail = { branch, path, policy }
    await recordAudit(tx, { tenantId, actor, action: 'repository.policy-set', targetId: id, detail, at })
    return show(tx, row)
  })
}

/** The policy that holds for a file. */
export async function policyOf(reader: Reader, row: RepositoryRow, key: string): Promise<ConflictPolicyToken> {
  const own = inTenant(repositoryFilePolicies, row.tenantId, eq(repositoryFilePolicies.id, key))
  const [override] = await reader.select().from(repositoryFilePolicies).where(own)
  return override?.policy ?? row.conflictPolicy
}
