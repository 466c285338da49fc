/**
 * The functions of `@stoplight/spectral-rulesets` for OpenAPI, by the names that rulesets use: in JavaScript by importing them, in
 * YAML and JSON by name.
 */
import type { CoreFunction } from '../core-functions.ts'
import schema from '../functions/schema.ts'
import type { LintFunction } from '../rule.ts'
import { describeErrors } from '../schema-errors.ts'
import { notChecked } from '../check-budget.ts'
import { isObject } from '../../kernel/json.ts'
import discriminator from './discriminator.ts'
import examples from './examples.ts'
import formDataConsumes from './form-data-consumes.ts'
import pathParameters from './path-parameters.ts'
import refSiblings from './ref-siblings.ts'
import { schemaDialect } from './schema-dialect.ts'
import securityDefined from './security-defined.ts'
import spectralStructure from './spectral-structure.ts'
import successResponse from './success-response.ts'
import tagsDefined from './tags-defined.ts'
import uniqueOperationIds from './unique-operation-ids.ts'
import uniqueParameters from './unique-parameters.ts'
import unusedComponents from './unused-components.ts'

/** The value is valid against the schema of the option `schema`, read as the version of OpenAPI reads its schemas. */
const oasSchema: LintFunction = (input, options, context) => {
  const { formats, entry, path, deref, budget } = context
  const against = options.schema
  if (input === undefined || !isObject(against) || formats.size === 0) return schema(input, options, context)
  const dialect = schemaDialect(formats, entry)
  const errors = budget.validate(against, input, { dialect, refSiblings: true, instance: deref })
  if (errors === null) return [{ message: `#{{print("property")}}${notChecked}` }]
  return describeErrors(errors, input, path).map(({ message, path: at }) => ({ message, path: [...path, ...at] }))
}

const oasVersion = { enum: [2, 3] }
const optional = (properties: Readonly<Record<string, object>>): CoreFunction['options'] =>
  ({ type: 'object', additionalProperties: false, properties }) as CoreFunction['options']

/** Each with the JSON Schema of its options; null where it takes none. */
export const oasFunctions: Readonly<Record<string, CoreFunction>> = {
  oasDiscriminator: { run: discriminator, options: null },
  oasDocumentSchema: { run: spectralStructure, options: null },
  oasExample: {
    run: examples,
    options: optional({ oasVersion, schemaField: { type: 'string' }, type: { enum: ['media', 'schema'] } }),
  },
  oasOpFormDataConsumeCheck: { run: formDataConsumes, options: null },
  oasOpIdUnique: { run: uniqueOperationIds, options: null },
  oasOpParams: { run: uniqueParameters, options: null },
  oasOpSuccessResponse: { run: successResponse, options: null },
  oasPathParam: { run: pathParameters, options: null },
  oasSchema: { run: oasSchema, options: optional({ schema: { type: 'object' } }) },
  oasSecurityDefined: { run: securityDefined, options: optional({ oasVersion }) },
  oasTagDefined: { run: tagsDefined, options: null },
  oasUnusedComponent: { run: unusedComponents, options: null },
  refSiblings: { run: refSiblings, options: null },
}
