/** What other rooms use of projects. */
export { matching } from './catalogue.ts'
export { insertProject } from './service.ts'
