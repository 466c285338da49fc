import { methods, openapi30Methods } from '../../kernel/methods.ts'
import type { Aliases } from '../rule.ts'

/** Places of OpenAPI documents that several rules look at. */
export const oasAliases: Aliases = {
  PathItem: ['$.paths[*]'],
  Operation: [
    { formats: ['oas2', 'oas3'], given: [`#PathItem[${openapi30Methods.join(',')}]`] },
    { formats: ['oas3_2'], given: [`#PathItem[${methods.join(',')}]`, '#PathItem.additionalOperations[*]'] },
  ],
  SecurityRequirement: ['$.security[*]', '#Operation.security[*]'],
  Response: [
    { formats: ['oas2'], given: ['#Operation.responses[*]', '$.responses[*]'] },
    { formats: ['oas3'], given: ['#Operation.responses[*]', '$.components.responses[*]'] },
  ],
  Link: [{ formats: ['oas3'], given: ['$.components.links[*]', '#Response.links[*]'] }],
  ArraySchema: [
    { formats: ['oas2', 'oas3_0'], given: ['$..[?(@ && @.type == "array")]'] },
    {
      formats: ['oas3_1', 'oas3_2'],
      given: [
        '$..[?(@ && @.type == "array")]',
        '$..[?(@ && @.type && @.type.constructor.name === "Array" && @.type.includes("array"))]',
      ],
    },
  ],
}
