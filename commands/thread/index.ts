import { listOptions } from '../../cli/paging.ts'
import { Comment, threadsApi } from '../../src/api/threads.ts'
import { versionsApi } from '../../src/api/versions.ts'
import { outputOptions } from '../../cli/convert/output.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { patchOption, placeText, textArgument, threadArguments, threadText } from '../../cli/review/shared.ts'
import { versionArguments } from '../../cli/version/facts.ts'
import { plural } from '../../src/kernel/plural.ts'

export default group({
  summary: 'Discuss parts of a document in threads',
  commands: {
    list: derive(threadsApi.list, {
      summary: 'List the threads of a version with their current positions',
      examples: ['svc thread list petstore 1.2.0 --status open'],
      arguments: versionArguments,
      options: { status: { placeholder: 'WORD', summary: 'only threads of this status' }, ...listOptions },
      data: 'threads',
      counts: ['total', 'open', 'limit', 'offset'],
      empty: 'No threads.\n',
      columns: {
        ID: (it) => it.id,
        STATUS: (it) => it.status,
        PLACE: placeText,
        COMMENTS: (it) => String(it.comments_count),
        FIRST: (it) => (it.comments[0]?.body ?? '').replaceAll(/\s+/g, ' ').slice(0, 60),
      },
    }),
    show: derive(threadsApi.get, {
      summary: 'Show a thread with its comments and suggestions',
      examples: ['svc thread show petstore 1.2.0 THREAD'],
      arguments: threadArguments,
      text: threadText,
    }),
    create: derive(threadsApi.open, {
      summary: 'Open a thread on a part of a document',
      examples: [
        'svc thread create petstore 1.2.0 /paths/~1pets/get "Why is limit a string?"',
        'svc thread create petstore 1.2.0 /info/title "Shorter" --suggestion patch.json',
      ],
      arguments: [
        ...versionArguments,
        {
          name: 'pointer',
          summary: 'JSON Pointer of the place; "" is the whole document',
          field: 'anchor',
          read: (pointer: string) => ({ pointer }),
        },
        textArgument,
      ],
      options: { suggestion: patchOption },
      text: (thread) => `Thread ${thread.id}\n${threadText(thread)}`,
    }),
    reply: derive(threadsApi.comment, {
      examples: ['svc thread reply petstore 1.2.0 THREAD "Because it may be \\"all\\"."'],
      arguments: [...threadArguments, textArgument],
      options: { suggestion: patchOption },
      text: (comment) => `Added comment ${comment.id}\n`,
    }),
    resolve: derive(threadsApi.resolve, {
      summary: 'Resolve a thread',
      examples: ['svc thread resolve petstore 1.2.0 THREAD'],
      arguments: threadArguments,
      text: threadText,
    }),
    reopen: derive(threadsApi.reopen, {
      summary: 'Open a resolved thread again',
      examples: ['svc thread reopen petstore 1.2.0 THREAD'],
      arguments: threadArguments,
      text: threadText,
    }),
    overlay: command({
      summary: 'Write the suggestion of a comment as an overlay',
      description:
        'For a document that somebody else owns, or that is generated: apply it with "svc overlay apply", or name it in svc.yaml. Works for published versions too.',
      examples: ['svc thread overlay petstore 1.2.0 COMMENT -o suggestion.yaml'],
      arguments: [
        ...versionArguments,
        { name: 'comment', required: true, summary: 'id of the comment with the suggestion' },
      ],
      options: {
        output: outputOptions.output,
      },
      async run({ args, options, connection, cwd, io }) {
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
        const made = await call(threadsApi.suggestionOverlay, { params: { ...params, comment_id: args.comment } })
        if (options.output === undefined) return { data: made, text: made.text }
        const { writeOptionFile } = await import('../../cli/output/reports.ts')
        await writeOptionFile(options.output, made.text, cwd)
        io.log.info(`Wrote ${options.output}: ${plural(made.actions, 'action')}.`)
        return { data: made, text: '' }
      },
    }),
    apply: command({
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
        const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
        const { digest } = await call(versionsApi.get, { params })
        const comment = await call(threadsApi.applySuggestion, {
          params: { ...params, comment_id: args.comment },
          headers: { 'if-match': `"${digest}"` },
        })
        return {
          data: comment,
          text: `Applied to ${args.project} ${args.version}\n${comment.suggestion?.diff ?? ''}\n`,
        }
      },
    }),
  },
})
