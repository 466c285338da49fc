import { Comment, threadsApi } from '../../src/api/threads.ts'
import { versionsApi } from '../../src/api/versions.ts'
import { command } from '../../cli/declare.ts'
import { versionParamsOf } from '../../cli/review/shared.ts'
import { versionArguments } from '../../cli/version/facts.ts'

export default command({
  summary: 'Apply the suggestion of a comment to the draft',
  description:
    'The draft keeps its format and comments. It is refused if the place changed since the suggestion was made.',
  examples: ['svc thread apply petstore 1.2.0 COMMENT'],
  arguments: [
    ...versionArguments,
    { name: 'comment', required: true, summary: 'id of the comment with the suggestion' },
  ],
  options: {},
  dataSchema: Comment,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = await versionParamsOf(args, tenant)
    const { digest } = await call(versionsApi.get, { params })
    const comment = await call(threadsApi.applySuggestion, {
      params: { ...params, comment_id: args.comment },
      headers: { 'if-match': `"${digest}"` },
    })
    return { data: comment, text: `Applied to ${args.project} ${args.version}\n${comment.suggestion?.diff ?? ''}\n` }
  },
})
