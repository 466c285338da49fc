import { SvcError } from '../src/errors.ts'

/** A usage error of a command: `usage` is its one-line usage, shown below the message. */
export class UsageError extends SvcError<'usage'> {
  readonly usage: string | undefined
  constructor(reason: string, usage?: string) {
    super('usage', { reason })
    this.usage = usage
  }
}

/** What is wrong with the arguments or options of a command. */
export const usageError = (reason: string): SvcError => new SvcError('usage', { reason })
