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
#! k.pto:5:10: error[E0110]: arith.adi is not supported yet
#!     5 |     %b = arith.adi %n, %n : index
#!       |          ^~~~~~~~~
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
#!     "id": "E0110",
#!     "severity": "error",
#!     "message": "arith.adi is not supported yet",
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
#!     "unsupported": true,
#!     "notes": [],
#!     "help": ""
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
#!           "version": "0.1.0",
#!           "semanticVersion": "0.1.0",
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
#!               "id": "E0110",
#!               "name": "not-supported-yet",
#!               "shortDescription": {
#!                 "text": "not supported yet"
#!               },
#!               "fullDescription": {
#!                 "text": "The instruction, type or construct is known, but this version does not implement it."
#!               },
#!               "help": {
#!                 "text": "The instruction, type or construct is known, but this version does not implement it.\n\nExample:\npto.simt_launch @f<<<%x, %y, %z>>>() : () -> ()\n\nFix: --list-instructions --unsupported lists them all; exit code 3",
#!                 "markdown": "The instruction, type or construct is known, but this version does not implement it.\n\n```\npto.simt_launch @f<<<%x, %y, %z>>>() : () -> ()\n```\n\n**Fix:** --list-instructions --unsupported lists them all; exit code 3"
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
#!           "ruleId": "E0110",
#!           "ruleIndex": 1,
#!           "level": "error",
#!           "message": {
#!             "text": "arith.adi is not supported yet"
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
#!           "properties": {
#!             "unsupported": true
#!           }
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
#| ESC[1mk.pto:5:10:ESC[0m ESC[1;31merror[E0110]:ESC[0m ESC[1marith.adi is not supported yetESC[0m
#|     5 |     %b = arith.adi %n, %n : index
#|       |          ESC[1;32m^~~~~~~~~ESC[0m
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
#!           "version": "0.1.0",
#!           "semanticVersion": "0.1.0",
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
#! --diagnostics: xml not in {text,json,sarif}
#! Run with --help for more information.
