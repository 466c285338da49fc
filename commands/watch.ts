import { whileWaiting } from '../cli/deadline.ts'
import { command } from '../cli/declare.ts'
import { lintOptions } from '../cli/lint/options.ts'
import { defaultsOf } from '../cli/options.ts'
import { roundOf, type Round } from '../cli/watch/rounds.ts'
import { Session, type Checked } from '../cli/watch/session.ts'
import { writeError, writeRound, writeStart } from '../cli/watch/text.ts'
import { Poller, Watcher } from '../cli/watch/watcher.ts'
import { SvcError } from '../src/errors.ts'
import { visibleJson } from '../src/report/escape.ts'

/** One save of an editor is several events: nothing is read until there was none for so long. */
const quietMs = 80
const longestMs = 1000

const {
  guide,
  'allow-functions': allowFunctions,
  baseline,
  waivers,
  'ignore-suppressions': ignoreSuppressions,
  profile,
  'project-file': projectFile,
} = lintOptions

export default command({
  summary: 'Check documents on every save and show new and fixed findings and changes',
  description:
    'Watches documents with the files that they refer to, the style guide and svc.yaml, and prints after every save which findings are new (+) or gone (-), the grade, and which changes there are against the base: --base, compareWith of svc.yaml, otherwise the documents as they were when watching began. Folders are watched for new documents. Errors of a document, a guide or svc.yaml are printed and watching continues. Ctrl-C ends it.',
  examples: [
    'svc watch openapi.yaml',
    'svc watch apis --base main',
    'svc watch openapi.yaml --base petstore@latest --guide .spectral.yaml',
    'svc watch openapi.yaml --format ndjson',
  ],
  arguments: [
    {
      name: 'files',
      summary: 'files, folders or globs (default: the APIs of svc.yaml, otherwise the current folder)',
      variadic: true,
    },
  ],
  options: {
    base: {
      type: 'string',
      placeholder: 'REVISION|SIDE',
      summary: 'git revision to compare all documents with, or one older side as "svc diff" takes it',
    },
    guide,
    'allow-functions': allowFunctions,
    baseline,
    waivers,
    'ignore-suppressions': ignoreSuppressions,
    profile,
    'project-file': projectFile,
    format: {
      type: 'string',
      placeholder: 'FORMAT',
      choices: ['text', 'ndjson'],
      default: 'text',
      summary: 'text, or a JSON object in a line for each save',
    },
    poll: {
      type: 'duration',
      min: 50,
      summary: 'check the files at this interval, for file systems that send no events',
    },
    count: {
      type: 'integer',
      placeholder: 'N',
      min: 1,
      summary: 'exit after this number of saves that change something',
    },
  },
  isBounded: true,
  async run(invocation) {
    const { args, options, io, signal } = invocation
    if (args.files.some((it) => it === '-' || /^https?:/i.test(it)))
      throw new SvcError('usage', {
        reason: 'Only files of this machine can be watched, not standard input or addresses',
      })
    const { base, format, poll, count = Number.POSITIVE_INFINITY, ...lint } = options
    const session = new Session(
      { ...invocation, options: { ...defaultsOf(lintOptions), ...lint, 'allow-skipped': true } },
      base,
    )
    const show = (text: () => string, json: object): Promise<void> =>
      io.stdout(format === 'ndjson' ? `${visibleJson(JSON.stringify(json))}\n` : text())
    let checked: Checked = await session.check()
    await show(() => writeStart(checked.state, io.colour.stdout), {
      event: 'start',
      documents: checked.state.documents.map(({ source, grade, comparison }) => ({ source, grade, comparison })),
      findings: checked.state.findings,
    })
    let lastEvent = 0
    let wake = (): void => undefined
    const notify = (): void => {
      lastEvent = performance.now()
      wake()
    }
    const watcher = poll === undefined ? new Watcher(notify) : new Poller(notify, poll)
    signal.addEventListener('abort', () => watcher.close(), { once: true })
    const rounds: Round[] = []
    let handled = 0
    let complaint = ''
    try {
      const failure = await watcher.set(checked.watched)
      if (failure !== null)
        io.log.warn(`A folder cannot be watched (${failure}); --poll 1s looks at the files instead.`)
      while (!signal.aborted && rounds.length < count) {
        if (lastEvent === handled)
          await whileWaiting(
            () =>
              new Promise<void>((resolve) => {
                wake = resolve
                signal.addEventListener('abort', () => resolve(), { once: true })
              }),
          )
        const began = performance.now()
        while (performance.now() - lastEvent < quietMs && performance.now() - began < longestMs) await Bun.sleep(20)
        if (signal.aborted) break
        handled = lastEvent
        try {
          const now = await session.check()
          const round = roundOf(checked.state, now.state)
          checked = now
          complaint = ''
          await watcher.set(now.watched)
          if (round === null) continue
          rounds.push(round)
          await show(() => writeRound(round, new Date(), io.colour.stdout), { event: 'save', ...round })
        } catch (thrown) {
          if (!(thrown instanceof SvcError) || thrown.code === 'output-failed') throw thrown
          await watcher.set(checked.watched)
          if (thrown.message === complaint) continue
          complaint = thrown.message
          await show(() => writeError(thrown.message, new Date(), io.colour.stdout), {
            event: 'error',
            code: thrown.code,
            message: thrown.message,
          })
        }
      }
    } finally {
      watcher.close()
    }
    return { data: rounds, text: '' }
  },
})
