import { yieldToEventLoop } from '../../db/yield.ts'
import type { Deps } from '../deps.ts'
import { Doorbell } from '../jobs/doorbell.ts'
import type { Worker } from '../jobs/worker.ts'
import type { OutboxReader } from './define.ts'
import { readBatch } from './read.ts'
import { outboxReaders } from './readers.ts'

export interface OutboxOptions {
  readonly deps: Deps
  readonly readers?: readonly OutboxReader[]
  /** Pause between looks at what is due; `wake` ends it early. */
  readonly pollMs?: number
  readonly onFault: (fault: unknown, where: string) => void
}

/** Lets all readers work on events until the signal aborts, each by itself: one that fails or is slow delays no other. */
export function startOutbox({ deps, onFault, ...options }: OutboxOptions, signal: AbortSignal): Worker {
  const { readers = outboxReaders, pollMs = 1000 } = options
  const bells = readers.map(() => new Doorbell())
  const wake = () => bells.forEach((bell) => bell.ring())
  const read = async (reader: OutboxReader): Promise<number> => {
    try {
      return await readBatch(deps, reader, (fault, { id }) => onFault(fault, `${reader.name} ${id}`))
    } catch (fault) {
      onFault(fault, reader.name)
      return 0
    }
  }
  const loop = async (reader: OutboxReader, bell: Doorbell | undefined) => {
    while (!signal.aborted)
      if ((await read(reader)) > 0) await yieldToEventLoop()
      else if (!signal.aborted) await bell?.wait(pollMs)
  }
  signal.addEventListener('abort', wake, { once: true })
  const work = async () => {
    await Promise.all(readers.map((reader, n) => loop(reader, bells[n])))
  }
  // A batch is short: none is given back.
  return { wake, giveBack: () => {}, done: work() }
}
