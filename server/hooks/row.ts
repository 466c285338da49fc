import type { repositoryHooks } from '../../db/tables.gen.ts'

export type HookRow = typeof repositoryHooks.$inferSelect
