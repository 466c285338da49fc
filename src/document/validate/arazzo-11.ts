import type { JsonObject } from '../../kernel/json.ts'
import { arazzo10, checkAction, checkParameter, checkPlaces, isReusable, versionsOf } from './arazzo.ts'
import {
  any,
  either,
  exactlyOne,
  type Grammar,
  map,
  matching,
  node,
  type NodeShape,
  oneOf,
  type Report,
  text,
  unique,
} from './grammar.ts'

const ofStep = ['operationId', 'operationPath', 'workflowId', 'channelPath'] as const
const ofMessages = ['action', 'correlationId'] as const

// The three kinds of steps of the published schema: what sends or receives messages has an action, what calls HTTP has none.
const checkStep = (value: JsonObject, report: Report): void => {
  exactlyOne(...ofStep)(value, report)
  checkPlaces(value, report)
  const names = (key: string): boolean => Object.hasOwn(value, key)
  if (names('channelPath') && !names('action')) report('a step with "channelPath" requires "action"')
  for (const key of ofMessages)
    for (const target of ['operationPath', 'workflowId'] as const)
      if (names(key) && names(target))
        report(`"${key}" is for steps that send or receive messages, and cannot be used with "${target}"`, key)
  if (names('correlationId') && value.action !== 'receive' && !names('operationPath') && !names('workflowId'))
    report('a step with "correlationId" requires "action: receive"', 'correlationId')
}

const checkOwnAction = (value: JsonObject, report: Report): void => {
  checkAction(value, report)
  if (isReusable(value) || !Object.hasOwn(value, 'parameters')) return
  if (!Object.hasOwn(value, 'workflowId')) report('"parameters" requires "workflowId"', 'parameters')
  const list = Array.isArray(value.parameters) ? (value.parameters as readonly unknown[]) : []
  for (const [index, one] of list.entries())
    if (typeof one === 'object' && one !== null && Object.hasOwn(one, 'in'))
      report(`"parameters[${index}]" must not have "in", because the action calls a workflow`, 'parameters')
}

const versions: Readonly<Record<string, readonly string[]>> = {
  jsonpath: ['rfc9535', 'draft-goessner-dispatch-jsonpath-00'],
  xpath: ['xpath-31', 'xpath-30', 'xpath-20', 'xpath-10'],
  jsonpointer: ['rfc6901'],
}

const stepReference = matching(
  /^(?:[^$].*|\$workflows\.[^.]+\.steps\.[^.]+|\$sourceDescriptions\.[^.]+\.[^.]+\.steps\.[^.]+)$/s,
  'a stepId, $workflows.WORKFLOW.steps.STEP or $sourceDescriptions.NAME.WORKFLOW.steps.STEP',
)

const selectorType = either(oneOf('jsonpointer', 'jsonpath', 'xpath'), node('ExpressionType'))
const outputs = map(either(text, node('Selector')), /^[a-zA-Z0-9.\-_]+$/)

/** A node of Arazzo 1.0 with fields that 1.1 adds or describes anew. */
const extended = (name: string, fields: NodeShape['fields'], rest: Partial<NodeShape> = {}): NodeShape => {
  const before = arazzo10.nodes[name] as NodeShape
  return { ...before, ...rest, fields: { ...before.fields, ...fields } }
}

const actionParameters = { parameters: unique(node('Parameter')) }

const nodes: Readonly<Record<string, NodeShape>> = {
  ...arazzo10.nodes,
  Document: extended('Document', {
    arazzo: matching(/^1\.1\.\d+(?:-.+)?$/, 'a version 1.1.x'),
    $self: matching(/^[^\s<>"\\^`{|}#]*$/, 'a URI reference without a fragment'),
  }),
  SourceDescription: extended('SourceDescription', { type: oneOf('arazzo', 'openapi', 'asyncapi') }),
  Workflow: extended('Workflow', { outputs }),
  Step: extended(
    'Step',
    {
      channelPath: text,
      timeout: { kind: 'integer', least: 0 },
      correlationId: any,
      action: oneOf('send', 'receive'),
      dependsOn: unique(stepReference, 1),
      outputs,
    },
    { check: checkStep },
  ),
  Replacement: extended('Replacement', { targetSelectorType: selectorType }),
  Selector: {
    fields: { context: text, selector: text, type: selectorType },
    required: ['context', 'selector', 'type'],
  },
  ExpressionType: extended(
    'ExpressionType',
    { type: oneOf('jsonpath', 'xpath', 'jsonpointer') },
    { check: versionsOf(versions) },
  ),
  SuccessAction: extended('SuccessAction', actionParameters, { check: checkOwnAction }),
  FailureAction: extended('FailureAction', actionParameters, { check: checkOwnAction }),
  // The published schema has "channel" too, for the parameters of the address of a channel.
  Parameter: extended(
    'Parameter',
    { in: oneOf('path', 'query', 'querystring', 'header', 'cookie', 'channel') },
    { check: checkParameter },
  ),
}

/** Arazzo 1.1.x: the published schema of 2026-04-15, and what its text says beyond. */
export const arazzo11: Grammar = { title: 'Arazzo 1.1', root: 'Document', nodes }
