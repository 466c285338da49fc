import { binDays } from '../../../../src/api/bin-kinds.ts'
import { showMessage, type Toast } from '../../parts/toast.ts'

/** What a question before a deletion says that can be undone. */
export const restorable = `You can restore it for ${binDays} days.`

const undo = async (tenant: string, id: string, what: string): Promise<Toast> => {
  const { restore } = await import('./queries.ts')
  const { notes } = await restore(tenant, id)
  return { title: `${what} was restored`, ...(notes.length === 0 ? {} : { detail: notes.join(' ') }) }
}

/** The same for several. @param what with their number: "12 projects" */
export const sayAllDeleted = (tenant: string, ids: readonly string[], what: string): void => {
  if (ids.length === 0) return
  const run = async (): Promise<Toast> => {
    const { restoreAll } = await import('./queries.ts')
    await restoreAll(tenant, ids)
    return { title: `${what} restored` }
  }
  showMessage({ title: `${what} deleted`, detail: restorable.replace('it', 'them'), action: { name: 'Undo', run } })
}

/** Says that something was deleted, and offers to undo it. @param what as the begin of a sentence: "The project pets" */
export const sayDeleted = (tenant: string, id: string, what: string, done = 'was deleted'): void =>
  showMessage({
    title: `${what} ${done}`,
    detail: restorable,
    action: { name: 'Undo', run: () => undo(tenant, id, what) },
  })
