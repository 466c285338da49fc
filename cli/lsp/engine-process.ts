/** The process that reads and checks documents for the language server. It ends with its standard input. */
import { existsSync } from 'node:fs'
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-languageserver/node'
import type { Pace } from '../../src/lint/lint.ts'
import type { Invocation } from '../declare.ts'
import { Cancelled, Engine } from './engine.ts'
import { Actions } from './actions.ts'
import { Answers } from './answers.ts'
import { Guides } from './guides.ts'
import { answer } from './questions.ts'
import {
  askEngine,
  changeFiles,
  checkText,
  closeText,
  configure,
  editText,
  openText,
  type Checked,
  type CheckOrder,
} from './wire.ts'

// How often a check looks whether it is still wanted.
const stepsPerLook = 256

export class OutOfTime extends Error {}

/** Ends a check that is not wanted any more, or that takes too long. */
function paceOf({ cancelFile, deadlineMs }: CheckOrder): Pace {
  const end = performance.now() + deadlineMs
  let steps = 0
  return (rules) => {
    if (++steps % stepsPerLook !== 0) return
    if (existsSync(cancelFile)) throw new Cancelled()
    if (performance.now() > end) throw new OutOfTime(rules().slice(0, 3).join(', '))
  }
}

async function check(engine: Engine, order: CheckOrder): Promise<Checked> {
  try {
    return await engine.check(order.uri, order.pass, paceOf(order))
  } catch (error) {
    if (error instanceof Cancelled) return { outcome: 'cancelled', published: [], notes: [], referrers: [] }
    throw error
  }
}

/** Answers the language server until it closes the connection. */
export async function runEngine(
  invocation: Invocation<object, { readonly 'allow-functions': boolean }>,
): Promise<void> {
  const connection: MessageConnection = createMessageConnection(
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  )
  const choice = { name: null, runsFunctions: invocation.options['allow-functions'], folder: invocation.cwd }
  const guides = new Guides(invocation, choice)
  const engine = new Engine(guides)
  const answers = new Answers(engine)
  const actions = new Actions(engine, answers)
  connection.onNotification(configure, ({ encoding, guide, folders, resolvesActions }) => {
    actions.resolves = resolvesActions
    engine.encoding = encoding
    answers.folders = folders
    guides.choice = { ...choice, name: guide, folder: folders[0] ?? invocation.cwd }
    guides.forget()
  })
  connection.onNotification(openText, (it) => engine.open(it))
  connection.onNotification(editText, (it) => engine.edit(it))
  connection.onNotification(closeText, ({ uri }) => engine.close(uri))
  connection.onNotification(changeFiles, () => engine.changed())
  connection.onRequest(checkText, (order) => check(engine, order))
  connection.onRequest(askEngine, ({ method, params }) => answer(answers, actions, method, params))
  const closed = new Promise<void>((resolve) => connection.onClose(resolve))
  connection.listen()
  await closed
}
