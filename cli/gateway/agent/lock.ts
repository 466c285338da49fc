/** One agent works in a folder at a time: two would replace each other's links. */
import { SvcError } from '../../../src/errors.ts'
import type { Folder } from './folder.ts'

const lockName = 'agent.pid'

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM'
  }
}

/**
 * Takes the folder for this process. The lock of a process that was killed does not count.
 * @returns gives it back
 * @throws SvcError `gateway-agent-running`
 */
export function lockFolder(folder: Folder): () => void {
  const pid = Number(folder.read(lockName) ?? 0)
  if (Number.isSafeInteger(pid) && pid > 0 && pid !== process.pid && isAlive(pid))
    throw new SvcError('gateway-agent-running', { pid, dir: folder.path })
  folder.replace(lockName, `${process.pid}\n`)
  return () => folder.remove(lockName)
}
