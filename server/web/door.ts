/** What other rooms use of web. */
export { documentationPage, pageHeaders } from './documentation-page.ts'
export { failurePage, plainPage } from './failure-page.ts'
export { escapeHtml } from './html.ts'
export { openWeb, type Web } from './serve.ts'
