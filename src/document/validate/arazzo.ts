import type { JsonObject } from '../../kernel/json.ts'
import {
  any,
  type Report,
  either,
  exactlyOne,
  flag,
  type Grammar,
  map,
  matching,
  node,
  type NodeShape,
  oneOf,
  text,
  unique,
  uri,
} from './grammar.ts'
import { externalDocs, schema2020, xml } from './schema-nodes.ts'

const componentName = /^[a-zA-Z0-9.\-_]+$/
const components = (name: string) => map(node(name), componentName)
const criteria = unique(node('Criterion'))

/** Whether a value is a Reusable Object: a reference to a component. */
export const isReusable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'reference')

/** An action has a name and a type, and one that goes elsewhere says where; or it is a reference. */
export const checkAction = (value: JsonObject, report: Report): void => {
  if (isReusable(value)) return checkReusable(value, report)
  for (const key of ['name', 'type']) if (!Object.hasOwn(value, key)) report(`missing required property "${key}"`)
  if (value.type === 'goto') exactlyOne('workflowId', 'stepId')(value, report)
}

const checkReusable = (value: JsonObject, report: Report): void => {
  for (const key of Object.keys(value))
    if (key !== 'reference' && key !== 'value')
      report(`"${key}" is not allowed next to "reference"; only "value" is`, key)
}

/** A parameter has a name and a value; or it is a reference. */
export const checkParameter = (value: JsonObject, report: Report): void => {
  if (isReusable(value)) return checkReusable(value, report)
  for (const key of ['name', 'value']) if (!Object.hasOwn(value, key)) report(`missing required property "${key}"`)
}

const versions: Readonly<Record<string, readonly string[]>> = {
  jsonpath: ['draft-goessner-dispatch-jsonpath-00'],
  xpath: ['xpath-10', 'xpath-20', 'xpath-30'],
}

/** A check that the version of an expression type is one of those that exist of it. */
export const versionsOf =
  (known: Readonly<Record<string, readonly string[]>>): NonNullable<NodeShape['check']> =>
  (value, report) => {
    const allowed = typeof value.type === 'string' && Object.hasOwn(known, value.type) ? known[value.type] : undefined
    if (allowed !== undefined && typeof value.version === 'string' && !allowed.includes(value.version))
      report(`"version" must be ${allowed.map((one) => `"${one}"`).join(' or ')}`, 'version')
  }

/** The parameters of a step that calls an operation say where they go. */
export const checkPlaces = (value: JsonObject, report: Report): void => {
  if (Object.hasOwn(value, 'workflowId') || !Array.isArray(value.parameters)) return
  for (const [index, one] of (value.parameters as readonly unknown[]).entries())
    if (typeof one === 'object' && one !== null && !isReusable(one) && !Object.hasOwn(one, 'in'))
      report(`"parameters[${index}]" requires "in", because the step calls an operation`, 'parameters')
}

const checkStep = (value: JsonObject, report: Report): void => {
  exactlyOne('operationId', 'operationPath', 'workflowId')(value, report)
  checkPlaces(value, report)
}

const action = {
  name: text,
  workflowId: text,
  stepId: text,
  reference: text,
  value: any,
}

const nodes: Readonly<Record<string, NodeShape>> = {
  Document: {
    fields: {
      arazzo: matching(/^1\.0\.\d+(?:-.+)?$/, 'a version 1.0.x'),
      info: node('Info'),
      sourceDescriptions: unique(node('SourceDescription'), 1),
      workflows: unique(node('Workflow'), 1),
      components: node('Components'),
    },
    required: ['arazzo', 'info', 'sourceDescriptions', 'workflows'],
  },
  Info: { fields: { title: text, summary: text, description: text, version: text }, required: ['title', 'version'] },
  SourceDescription: {
    fields: {
      name: matching(/^[A-Za-z0-9_-]+$/, 'a name of letters, digits, "-" and "_"'),
      url: uri,
      type: oneOf('arazzo', 'openapi'),
    },
    required: ['name', 'url'],
  },
  Workflow: {
    fields: {
      workflowId: text,
      summary: text,
      description: text,
      inputs: either(node('Schema'), flag),
      dependsOn: unique(text),
      steps: unique(node('Step'), 1),
      successActions: unique(node('SuccessAction')),
      failureActions: unique(node('FailureAction')),
      outputs: map(text),
      parameters: unique(node('Parameter')),
    },
    required: ['workflowId', 'steps'],
  },
  Step: {
    fields: {
      stepId: text,
      description: text,
      operationId: text,
      operationPath: text,
      workflowId: text,
      parameters: unique(node('Parameter')),
      requestBody: node('RequestBody'),
      successCriteria: unique(node('Criterion'), 1),
      onSuccess: unique(node('SuccessAction')),
      onFailure: unique(node('FailureAction')),
      outputs: map(text),
    },
    required: ['stepId'],
    check: checkStep,
  },
  RequestBody: { fields: { contentType: text, payload: any, replacements: unique(node('Replacement')) } },
  Replacement: { fields: { target: text, value: any }, required: ['target', 'value'] },
  Criterion: {
    fields: {
      context: text,
      condition: text,
      type: either(oneOf('simple', 'regex', 'jsonpath', 'xpath'), node('ExpressionType')),
      version: text,
    },
    required: ['condition'],
    check: (value, report) => {
      if (Object.hasOwn(value, 'type') && !Object.hasOwn(value, 'context'))
        report('a criterion with "type" requires "context"', 'type')
    },
  },
  ExpressionType: {
    fields: { type: oneOf('jsonpath', 'xpath'), version: text },
    required: ['type', 'version'],
    check: versionsOf(versions),
  },
  SuccessAction: { fields: { ...action, type: oneOf('end', 'goto'), criteria }, check: checkAction },
  FailureAction: {
    fields: {
      ...action,
      type: oneOf('end', 'goto', 'retry'),
      retryAfter: { kind: 'number', least: 0 },
      retryLimit: { kind: 'integer', least: 0 },
      criteria,
    },
    check: checkAction,
  },
  Parameter: {
    fields: { name: text, in: oneOf('path', 'query', 'header', 'cookie'), value: any, reference: text },
    check: checkParameter,
  },
  Components: {
    fields: {
      inputs: map(either(node('Schema'), flag), componentName),
      parameters: components('Parameter'),
      successActions: components('SuccessAction'),
      failureActions: components('FailureAction'),
    },
  },
  Schema: schema2020,
  ExternalDocs: externalDocs,
  Xml: xml,
  Discriminator: { fields: { propertyName: text, mapping: map(text) }, open: true },
}

/** Arazzo 1.0.x. */
export const arazzo10: Grammar = { title: 'Arazzo 1.0', root: 'Document', nodes }
