/** What the design tools share. */
import { join } from 'node:path'
import { SvcError } from '../../../src/errors.ts'
import { beginWork, pauseWork, startDeadline } from '../../deadline.ts'
import type { Invocation } from '../../declare.ts'
import { failureText } from '../../failure.ts'
import type { ProjectFile } from '../../project-file/find.ts'
import type { Judge } from './judge.ts'
import type { Repository } from './repository.ts'

/** What design tools are given: the repository of the folder that they were started in. */
export interface Design {
  readonly invocation: Invocation
  /** The repository, with its `svc.yaml` as it is now. @throws SvcError `usage` where there is none, `project-file-invalid` */
  repository(): Promise<Repository>
  /** @throws SvcError as `repository` does */
  judge(): Promise<{ readonly repository: Repository; readonly judge: Judge }>
  /** Does a work within the time and the memory that one document may take; the process ends where it takes more. */
  bounded<T>(what: string, work: () => Promise<T>): Promise<T>
}

const noFile = (cwd: string): SvcError =>
  new SvcError('usage', {
    reason: `There is no svc.yaml in ${cwd} or above it, up to the root of the repository; "svc init" writes one, and --root names the folder`,
  })

/** The design tools of a folder. Its `svc.yaml` is read for each call, since the agent or a person may edit it. */
export function designOf(invocation: Invocation): Design {
  const { cwd, env, globals, io } = invocation
  let isWatched = false
  let running = 0
  const from = globals.root ?? cwd
  const file = async (): Promise<ProjectFile> => {
    // A host is greeted before anything is read: what reads is loaded for the first call.
    const { findProjectFile } = await import('../../project-file/find.ts')
    const found = await findProjectFile(from)
    if (found === null) throw noFile(from)
    return found
  }
  const repository = async (): Promise<Repository> => {
    const [{ Repository }, { cacheFolder }] = await Promise.all([
      import('./repository.ts'),
      import('../../cache/cache.ts'),
    ])
    return new Repository(await file(), join(cacheFolder(env), 'locks'))
  }
  return {
    invocation,
    repository,
    async judge() {
      const own = await repository()
      const { Judge } = await import('./judge.ts')
      return { repository: own, judge: new Judge(invocation, own.file) }
    },
    async bounded(what, work) {
      const { deadlineMs, memoryMb } = globals
      const report = (failure: SvcError) => {
        return { stderr: `${failureText(failure, 'mcp', io)}\n`, stdout: '', exitCode: failure.exitCode }
      }
      if (isWatched) beginWork(what)
      else startDeadline(what, { deadlineMs, memoryMb }, report)
      isWatched = true
      running++
      try {
        return await work()
      } finally {
        running--
        if (running === 0) pauseWork()
      }
    },
  }
}
