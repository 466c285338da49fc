import { defineDue, schedule } from '../schedule/door.ts'

/** Indexes the branches and files of a repository. */
export const scanKind = defineDue({
  kind: 'repository.scan',
  longestMs: 300_000,
  async run({ subjectId, tenantId, deps, signal }) {
    const { scanRepository } = await import('./sync.ts')
    const at = await scanRepository(deps, tenantId ?? '', subjectId, signal)
    if (at !== null) await deps.db.inTransaction((tx) => schedule(tx, 'repository.poll', { subjectId, tenantId, at }))
    return null
  },
})

/** Asks a repository for its refs, and does what follows where they moved. */
export const pollKind = defineDue({
  kind: 'repository.poll',
  longestMs: 300_000,
  async run({ subjectId, tenantId, deps, signal }) {
    const { pollRepository } = await import('./sync.ts')
    return pollRepository(deps, tenantId ?? '', subjectId, signal)
  },
})

/** Reads a repository that something was pushed to. */
export const pushKind = defineDue({
  kind: 'repository.push',
  longestMs: 300_000,
  async run({ subjectId, tenantId, deps, signal }) {
    const { followPush } = await import('./sync.ts')
    await followPush(deps, tenantId ?? '', subjectId, signal)
    return null
  },
})
