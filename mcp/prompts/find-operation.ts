import { bytesOfTokens, defaultTokens } from '../budget.ts'
import type { Prompt } from '../prompt.ts'
import { search } from '../search.ts'

const mostHits = 10

const prompt: Prompt = {
  name: 'find_operation',
  title: 'Find the operation for a task',
  description: 'Names the operation that does a task, with what it needs and how it fails.',
  arguments: [
    { name: 'task', description: 'The task, in one sentence', required: true },
    {
      name: 'spec',
      description: 'Where to search: organization, organization/project or organization/project/version',
      required: false,
    },
  ],
  async run({ task = '', spec }, context) {
    const q = task.slice(0, 200)
    const { items } = await search(
      'words',
      { q, limit: mostHits, ...(spec !== undefined && { spec }) },
      {
        call: context.call,
        budgetBytes: bytesOfTokens(defaultTokens),
      },
    )
    const [find, describe] = [context.toolName('spec.search'), context.toolName('spec.describe')]
    const lines = items.map((hit) => JSON.stringify(hit))
    const text = [
      `Find the one operation that does this: ${task}`,
      lines.length > 0
        ? `Candidates, best first, one JSON object a line:\n${lines.join('\n')}`
        : `A search for the words of the task found nothing: try ${find} with other words, or ${context.toolName('spec.list')}.`,
      `Look at the best candidate with ${describe} (its "spec", and its "ref" as "operation") before you answer. ` +
        `Answer with its spec and ref, the parameters and body fields it requires, how to authenticate, and what its error statuses mean. ` +
        `Say so when no operation does the task: name none that you have not looked at.`,
    ].join('\n\n')
    return [{ role: 'user', content: { type: 'text', text } }]
  },
}
export default prompt
