import type { Static, TObject } from '@sinclair/typebox'
import type { Call } from '../src/api/endpoint.ts'

/** What a tool is given beside its arguments. */
export interface ToolContext {
  /** Calls the service with the credentials of the caller of the tool. */
  readonly call: Call
  /** Bytes that the whole reply may take as JSON, text and structured content together. */
  readonly budgetBytes: number
}

/** A tool of the server. Its file is its name: `mcp/tools/spec/list.ts` is `spec.list`. */
export interface Tool {
  readonly name: string
  /** It works on files of this machine: no service is asked whether the caller may use it. */
  readonly isLocal?: true
  /** It may change something. All others only read. */
  readonly writes?: true
  readonly title: string
  readonly description: string
  readonly input: TObject
  readonly output: TObject
  run(args: never, context: ToolContext): Promise<object>
}

/** Identity function: it ties the arguments and the answer of `run` to the schemas. */
export const tool = <I extends TObject, O extends TObject>(
  entry: Omit<Tool, 'run' | 'input' | 'output'> & {
    readonly input: I
    readonly output: O
    run(args: Static<I>, context: ToolContext): Promise<Static<O>>
  },
): Tool => entry

/** The spelling without dots, for hosts that refuse them. */
export const underscored = (name: string): string => name.replaceAll('.', '_')
