/** A model behind an interface like that of OpenAI's chat completions, working on a task with the tools of svc. */
import type { Task } from './tasks.ts'
import type { RecordedCall, Transcript } from './transcript.ts'
import type { Workshop } from './workshop.ts'

/** Where a model is. */
export interface Model {
  /** The base address, such as http://127.0.0.1:11434/v1. */
  readonly url: string
  readonly key: string | null
  readonly model: string
}

interface ToolCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}
interface Message {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly ToolCall[]
  readonly tool_call_id?: string
}
interface Completion {
  readonly choices?: readonly { readonly message: Message }[]
  readonly usage?: { readonly total_tokens?: number }
}

const mostTurns = 16
const longestWaitMs = 180_000

const instructions =
  'You edit an API description, which the tools call "api". Do exactly what is asked and nothing else. Call edit as a dry run first, then with ' +
  'dry_run false and the digest as expected_digest. Never accept a breaking change. When you are done, answer in one short sentence.'

async function complete({ url, key, model }: Model, body: object): Promise<Completion> {
  const response = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, temperature: 0, ...body }),
    signal: AbortSignal.timeout(longestWaitMs),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
  return (await response.json()) as Completion
}

function argumentsOf({ function: asked }: ToolCall): object | null {
  try {
    const value: unknown = JSON.parse(asked.arguments || '{}')
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

/**
 * Lets a model work on a task, for at most sixteen answers.
 * @throws Error where the address does not answer
 */
export async function solveByModel(task: Task, workshop: Workshop, model: Model): Promise<Transcript> {
  workshop.begin(task)
  const tools = (await workshop.tools()).map(({ name, description = '', inputSchema }) => {
    return { type: 'function', function: { name, description, parameters: inputSchema } }
  })
  const messages: Message[] = [
    { role: 'system', content: instructions },
    { role: 'user', content: task.ask },
  ]
  const calls: RecordedCall[] = []
  let [turns, tokens] = [0, 0]
  while (turns < mostTurns) {
    const { choices = [], usage } = await complete(model, { messages, tools })
    turns++
    tokens += usage?.total_tokens ?? 0
    const message = choices[0]?.message
    if (message === undefined) break
    messages.push(message)
    const asked = message.tool_calls ?? []
    if (asked.length === 0)
      return { task: task.id, by: model.model, turns, tokens, calls, answer: message.content ?? '' }
    for (const it of asked) {
      const args = argumentsOf(it)
      if (args !== null) calls.push({ tool: it.function.name, arguments: args })
      const text =
        args === null ? 'The arguments are no JSON object.' : (await workshop.call(it.function.name, args)).text
      messages.push({ role: 'tool', tool_call_id: it.id, content: text })
    }
  }
  return { task: task.id, by: model.model, turns, tokens, calls, answer: '' }
}
