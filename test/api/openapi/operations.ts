/** All operations that the documents describe. */

import { operationsOf } from "#api/openapi/operations.ts";
import { describedRoutes } from "#api/resources.ts";
import { OPERATIONS as OTHERS } from "#contract/operations.ts";

export const OPERATIONS = operationsOf(describedRoutes(), OTHERS);
