import type { Deps } from '../kit/door.ts'
import { noteUnderWay, runLoop, type Worker } from '../loop/door.ts'
import type { OutboxReader } from './define.ts'
import { readBatch } from './read.ts'

export interface OutboxOptions {
  readonly deps: Deps
  readonly readers: readonly OutboxReader[]
  /** Pause between looks at what is due; `wake` ends it early. */
  readonly pollMs?: number
  readonly onFault: (fault: unknown, where: string) => void
}

/** Lets all readers work on events until the signal aborts, each by itself: one that fails or is slow delays no other. */
export function startOutbox({ deps, readers, onFault, pollMs = 1000 }: OutboxOptions, signal: AbortSignal): Worker {
  // A batch is short: it ends in the claim, and none is given back.
  const loops = readers.map((reader) =>
    runLoop(
      {
        claim: () => {
          const end = noteUnderWay(`reader ${reader.name}`)
          return readBatch(deps, reader, (fault, { id }) => onFault(fault, `${reader.name} ${id}`)).finally(end)
        },
        pollMs,
        onFault: (fault) => onFault(fault, reader.name),
      },
      signal,
    ),
  )
  const ended = async (): Promise<void> => {
    await Promise.all(loops.map(({ done }) => done))
  }
  return {
    wake: () => loops.forEach(({ wake }) => wake()),
    giveBack: () => {},
    done: ended(),
  }
}
