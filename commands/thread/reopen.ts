import { Thread, threadsApi } from '../../src/api/threads.ts'
import { command } from '../../cli/declare.ts'
import { threadArguments, threadText, versionParamsOf } from '../../cli/review/shared.ts'

export default command({
  summary: 'Open a resolved thread again',
  examples: ['svc thread reopen petstore 1.2.0 THREAD'],
  arguments: threadArguments,
  options: {},
  dataSchema: Thread,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { ...(await versionParamsOf(args, tenant)), thread_id: args.thread }
    const thread = await call(threadsApi.reopen, { params })
    return { data: thread, text: () => threadText(thread) }
  },
})
