import { altair } from './altair.ts';
import { dynamodbAdmin } from './dynamodb-admin.ts';
import { elements } from './elements.ts';
import { jsoneditor } from './jsoneditor.ts';
import { rapidoc } from './rapidoc.ts';
import { scalar } from './scalar.ts';
import { tinymce } from './tinymce.ts';
import { xSpreadsheet } from './x-spreadsheet.ts';

/** Web apps that substrate has never met: written before the first run. */
export const FIRST_WEB = [elements, scalar, altair, jsoneditor, rapidoc, dynamodbAdmin, xSpreadsheet, tinymce];
