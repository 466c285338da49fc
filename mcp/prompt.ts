import type { GetPromptResult } from '@modelcontextprotocol/server'
import type { Way } from './run-tool.ts'

/** What a prompt is given beside its arguments. */
export interface PromptContext extends Way {
  /** Spells the name of a tool as the host lists it. */
  readonly toolName: (name: string) => string
}

/** A prompt of the server: a task for the model, with what it needs to begin. Its file is its name. */
export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
  /** Arguments without a value are left out; the required ones are there. */
  run(args: Readonly<Record<string, string>>, context: PromptContext): Promise<GetPromptResult['messages']>
}
