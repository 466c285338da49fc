/** Which projects the work of a caller may see: everything that it reads through `inTenant` is limited to them. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { SQL } from 'drizzle-orm'

const current = new AsyncLocalStorage<SQL | null>()

/**
 * Runs work that sees only some projects, whatever it calls.
 * @param projects the list that an id of a project must be in: `(select …)`; null: work that sees all
 */
export const withinProjects = <T>(projects: SQL | null, work: () => T): T => current.run(projects, work)

/**
 * Runs what is not the work of the caller, though a request of theirs caused it: workers that begin, and counts that hold for the whole
 * organization.
 */
export const beyondLimits = <T>(work: () => T): T => current.run(null, work)

/** The projects that the work under way is limited to; null: it is not. */
export const limitOfProjects = (): SQL | null => current.getStore() ?? null
