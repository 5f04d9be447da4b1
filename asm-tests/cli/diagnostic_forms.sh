# One error with a note and one with a replacement, as text, JSON and SARIF; colours on request only.
# RUN: cd $T && pto-as k.pto
# RUN: cd $T && pto-as --diagnostics=json k.pto
# RUN: cd $T && pto-as --diagnostics=sarif k.pto
# RUN: cd $T && pto-as --color=always k.pto 2>&1 | sed 's/\x1b/ESC/g'
# RUN: cd $T && pto-as --diagnostics=sarif --emit=text ok.pto | head -1
# RUN: cd $T && pto-as --diagnostics=xml ok.pto
# FILE: k.pto
#: module attributes {pto.target_arch = "a5"} {
#:   func.func @k(%n: index) attributes {pto.kernel} {
#:     %a = arith.constant 1 : index
#:     %a = arith.constant 2 : index   // 矩阵
#:     %b = arith.adi %n, %n : index
#:     return
#:   }
#: }
# FILE: ok.pto
#: module attributes {pto.target_arch = "a5"} {
#: }

#= exit 1
#! k.pto:4:5: error[E0113]: %a is defined already
#!     4 |     %a = arith.constant 2 : index   // 矩阵
#!       |     ^~
#! k.pto:3:5: note: the first definition
#!     3 |     %a = arith.constant 1 : index
#!       |     ^~
#!   help: rename one of them; a value is defined once in its region
#! k.pto:5:10: error[E0111]: there is no instruction arith.adi
#!     5 |     %b = arith.adi %n, %n : index
#!       |          ^~~~~~~~~
#!   help: did you mean 'arith.addi'?
#= exit 1
#! [
#!   {
#!     "id": "E0113",
#!     "severity": "error",
#!     "message": "%a is defined already",
#!     "switch": "",
#!     "file": "k.pto",
#!     "location": {
#!       "line": 4,
#!       "column": 5,
#!       "end_line": 4,
#!       "end_column": 7,
#!       "begin": 135,
#!       "end": 137
#!     },
#!     "unsupported": false,
#!     "notes": [
#!       {
#!         "message": "the first definition",
#!         "location": {
#!           "line": 3,
#!           "column": 5,
#!           "end_line": 3,
#!           "end_column": 7,
#!           "begin": 101,
#!           "end": 103
#!         }
#!       }
#!     ],
#!     "help": "rename one of them; a value is defined once in its region"
#!   },
#!   {
#!     "id": "E0111",
#!     "severity": "error",
#!     "message": "there is no instruction arith.adi",
#!     "switch": "",
#!     "file": "k.pto",
#!     "location": {
#!       "line": 5,
#!       "column": 10,
#!       "end_line": 5,
#!       "end_column": 19,
#!       "begin": 186,
#!       "end": 195
#!     },
#!     "unsupported": false,
#!     "notes": [],
#!     "help": "did you mean 'arith.addi'?",
#!     "replacement": {
#!       "location": {
#!         "line": 5,
#!         "column": 10,
#!         "end_line": 5,
#!         "end_column": 19,
#!         "begin": 186,
#!         "end": 195
#!       },
#!       "text": "arith.addi"
#!     }
#!   }
#! ]
#= exit 1
#! {
#!   "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
#!   "version": "2.1.0",
#!   "runs": [
#!     {
#!       "tool": {
#!         "driver": {
#!           "name": "pto-as",
#!           "version": "0.2.0",
#!           "semanticVersion": "0.2.0",
#!           "rules": [
#!             {
#!               "id": "E0113",
#!               "name": "redefinition",
#!               "shortDescription": {
#!                 "text": "redefinition"
#!               },
#!               "fullDescription": {
#!                 "text": "A name is given twice in one region."
#!               },
#!               "help": {
#!                 "text": "A name is given twice in one region.\n\nExample:\n%a = arith.constant 1 : i32\n%a = arith.constant 2 : i32\n\nFix: rename one of them",
#!                 "markdown": "A name is given twice in one region.\n\n```\n%a = arith.constant 1 : i32\n%a = arith.constant 2 : i32\n```\n\n**Fix:** rename one of them"
#!               },
#!               "defaultConfiguration": {
#!                 "level": "error"
#!               }
#!             },
#!             {
#!               "id": "E0111",
#!               "name": "unknown-instruction",
#!               "shortDescription": {
#!                 "text": "unknown instruction"
#!               },
#!               "fullDescription": {
#!                 "text": "No instruction has this name."
#!               },
#!               "help": {
#!                 "text": "No instruction has this name.\n\nExample:\npto.tad ins(..) outs(..)\n\nFix: correct the spelling",
#!                 "markdown": "No instruction has this name.\n\n```\npto.tad ins(..) outs(..)\n```\n\n**Fix:** correct the spelling"
#!               },
#!               "defaultConfiguration": {
#!                 "level": "error"
#!               }
#!             }
#!           ]
#!         }
#!       },
#!       "invocations": [
#!         {
#!           "executionSuccessful": true
#!         }
#!       ],
#!       "artifacts": [
#!         {
#!           "location": {
#!             "uri": "k.pto"
#!           }
#!         }
#!       ],
#!       "columnKind": "unicodeCodePoints",
#!       "results": [
#!         {
#!           "ruleId": "E0113",
#!           "ruleIndex": 0,
#!           "level": "error",
#!           "message": {
#!             "text": "%a is defined already\nhelp: rename one of them; a value is defined once in its region"
#!           },
#!           "locations": [
#!             {
#!               "physicalLocation": {
#!                 "artifactLocation": {
#!                   "uri": "k.pto",
#!                   "index": 0
#!                 },
#!                 "region": {
#!                   "startLine": 4,
#!                   "startColumn": 5,
#!                   "endLine": 4,
#!                   "endColumn": 7,
#!                   "byteOffset": 135,
#!                   "byteLength": 2
#!                 }
#!               }
#!             }
#!           ],
#!           "relatedLocations": [
#!             {
#!               "physicalLocation": {
#!                 "artifactLocation": {
#!                   "uri": "k.pto",
#!                   "index": 0
#!                 },
#!                 "region": {
#!                   "startLine": 3,
#!                   "startColumn": 5,
#!                   "endLine": 3,
#!                   "endColumn": 7,
#!                   "byteOffset": 101,
#!                   "byteLength": 2
#!                 }
#!               },
#!               "id": 1,
#!               "message": {
#!                 "text": "the first definition"
#!               }
#!             }
#!           ]
#!         },
#!         {
#!           "ruleId": "E0111",
#!           "ruleIndex": 1,
#!           "level": "error",
#!           "message": {
#!             "text": "there is no instruction arith.adi\nhelp: did you mean 'arith.addi'?"
#!           },
#!           "locations": [
#!             {
#!               "physicalLocation": {
#!                 "artifactLocation": {
#!                   "uri": "k.pto",
#!                   "index": 0
#!                 },
#!                 "region": {
#!                   "startLine": 5,
#!                   "startColumn": 10,
#!                   "endLine": 5,
#!                   "endColumn": 19,
#!                   "byteOffset": 186,
#!                   "byteLength": 9
#!                 }
#!               }
#!             }
#!           ],
#!           "fixes": [
#!             {
#!               "description": {
#!                 "text": "did you mean 'arith.addi'?"
#!               },
#!               "artifactChanges": [
#!                 {
#!                   "artifactLocation": {
#!                     "uri": "k.pto",
#!                     "index": 0
#!                   },
#!                   "replacements": [
#!                     {
#!                       "deletedRegion": {
#!                         "startLine": 5,
#!                         "startColumn": 10,
#!                         "endLine": 5,
#!                         "endColumn": 19,
#!                         "byteOffset": 186,
#!                         "byteLength": 9
#!                       },
#!                       "insertedContent": {
#!                         "text": "arith.addi"
#!                       }
#!                     }
#!                   ]
#!                 }
#!               ]
#!             }
#!           ]
#!         }
#!       ]
#!     }
#!   ]
#! }
#= exit 0
#| ESC[1mk.pto:4:5:ESC[0m ESC[1;31merror[E0113]:ESC[0m ESC[1m%a is defined alreadyESC[0m
#|     4 |     %a = arith.constant 2 : index   // 矩阵
#|       |     ESC[1;32m^~ESC[0m
#| ESC[1mk.pto:3:5:ESC[0m ESC[1;36mnote:ESC[0m the first definition
#|     3 |     %a = arith.constant 1 : index
#|       |     ESC[1;32m^~ESC[0m
#|   ESC[1;32mhelp:ESC[0m rename one of them; a value is defined once in its region
#| ESC[1mk.pto:5:10:ESC[0m ESC[1;31merror[E0111]:ESC[0m ESC[1mthere is no instruction arith.adiESC[0m
#|     5 |     %b = arith.adi %n, %n : index
#|       |          ESC[1;32m^~~~~~~~~ESC[0m
#|   ESC[1;32mhelp:ESC[0m did you mean 'arith.addi'?
#= exit 0
#| module attributes {pto.target_arch = "a5"} {
#! {
#!   "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
#!   "version": "2.1.0",
#!   "runs": [
#!     {
#!       "tool": {
#!         "driver": {
#!           "name": "pto-as",
#!           "version": "0.2.0",
#!           "semanticVersion": "0.2.0",
#!           "rules": []
#!         }
#!       },
#!       "invocations": [
#!         {
#!           "executionSuccessful": true
#!         }
#!       ],
#!       "artifacts": [
#!         {
#!           "location": {
#!             "uri": "ok.pto"
#!           }
#!         }
#!       ],
#!       "columnKind": "unicodeCodePoints",
#!       "results": []
#!     }
#!   ]
#! }
#= exit 2
#! pto-as: error: --diagnostics: 'xml' is not one of text, json, sarif
